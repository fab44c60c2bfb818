"""Serves Canaille on 127.0.0.1, in a process of its own, with a fresh database and a fresh key.

Usage: serve.py FOLDER PORT URL REDIRECT, with SITE_PASSWORD in the environment. URL is the address that nginx gives it; REDIRECT
is the only redirect address that its clients may use.
"""

import asyncio
import os
import secrets
import sys
import urllib.parse

import hypercorn.asyncio
import hypercorn.config
from asgiref.wsgi import WsgiToAsgi
from canaille.app import models
from canaille.app.installation import install
from canaille.backends import Backend
from canaille.hypercorn.app import create_app
from joserfc.jwk import RSAKey


def configuration(folder, url):
    return {
        "SECRET_KEY": secrets.token_hex(32), "SERVER_NAME": urllib.parse.urlsplit(url).netloc, "PREFERRED_URL_SCHEME": "https",
        "CANAILLE": {"DATABASE": "sql"}, "CANAILLE_SQL": {"DATABASE_URI": f"sqlite:///{folder}/database"},
        "CANAILLE_OIDC": {"ACTIVE_JWKS": [RSAKey.generate_key(2048, auto_kid=True).as_dict(private=True)]},
        "CANAILLE_HYPERCORN": {"PROXY_MODE": "legacy"}}


def prepare(app, redirect):
    """Makes the tables, a person and public clients, each with its way to sign id_tokens; for the last one the server chooses."""
    with app.app_context():
        install(app)
        with Backend.instance.session():
            Backend.instance.save(models.User(
                user_name="ada", password=os.environ["SITE_PASSWORD"], family_name="Ada", formatted_name="Ada",
                emails=["ada@example.org"]))
            for name, algorithm in (("pavise", "RS256"), ("pavise-rs512", "RS512"), ("pavise-silent", None)):
                client = models.Client(
                    client_id=name, client_name=name, redirect_uris=[redirect], scope=["openid"], response_types=["code"],
                    grant_types=["authorization_code", "refresh_token"], token_endpoint_auth_method="none",
                    id_token_signed_response_alg=algorithm)
                client.audience = [client]
                Backend.instance.save(client)


def main(folder, port, url, redirect):
    app = create_app(config=configuration(folder, url), env_file=None, wrap_asgi=False)
    prepare(app, redirect)
    server = hypercorn.config.Config.from_mapping(bind=[f"127.0.0.1:{port}"], accesslog="-", errorlog="-")
    asyncio.run(hypercorn.asyncio.serve(WsgiToAsgi(app), server))


if __name__ == "__main__":
    main(*sys.argv[1:])
