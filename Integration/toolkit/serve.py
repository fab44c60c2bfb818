"""Serves the Django project on 127.0.0.1, in a process of its own, and makes its database first where there is none.

Usage: serve.py PORT, with TOOLKIT_FOLDER, TOOLKIT_URL (the address that nginx gives it), TOOLKIT_GRACE (the seconds in which a
rotated refresh token is still answered) and TOOLKIT_PASSWORD in the environment.
"""

import os
import sys

import django
from django.conf import settings
from django.core.management import call_command


def prepare():
    """Makes the tables, a person and a public client."""
    from django.contrib.auth.models import User
    from oauth2_provider.models import Application

    call_command("migrate", verbosity=0, interactive=False)
    User.objects.create_superuser("ada", "ada@example.org", os.environ["TOOLKIT_PASSWORD"])
    # Without a port: RFC 8252 §7.3 lets a client on 127.0.0.1 take any.
    Application.objects.create(
        name="Pavise", client_id="pavise", client_type=Application.CLIENT_PUBLIC, algorithm=Application.RS256_ALGORITHM,
        authorization_grant_type=Application.GRANT_AUTHORIZATION_CODE, skip_authorization=True,
        redirect_uris="http://127.0.0.1/callback")


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
    django.setup()
    if not settings.DATABASE.exists():
        prepare()
    call_command("runserver", f"127.0.0.1:{sys.argv[1]}", use_reloader=False, verbosity=0)
