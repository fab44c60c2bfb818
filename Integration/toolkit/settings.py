"""The settings of a Django project around django-oauth-toolkit, with a fresh database in TOOLKIT_FOLDER."""

import os
import pathlib

FOLDER = pathlib.Path(os.environ["TOOLKIT_FOLDER"])
URL = os.environ["TOOLKIT_URL"]
DATABASE = FOLDER / "database"

DEBUG = False
ALLOWED_HOSTS = ["localhost"]
SECRET_KEY = (FOLDER / "secret").read_text()
ROOT_URLCONF = "urls"
# nginx ends the TLS.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
USE_TZ = True
STATIC_URL = "/static/"
LOGIN_URL = "/admin/login/"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": DATABASE}}
INSTALLED_APPS = [
    "django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions",
    "django.contrib.messages", "oauth2_provider"]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware"]
TEMPLATES = [{
    "BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True,
    "OPTIONS": {"context_processors": [
        "django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
        "django.contrib.messages.context_processors.messages"]}}]
OAUTH2_PROVIDER = {
    "OIDC_ENABLED": True, "OIDC_RSA_PRIVATE_KEY": (FOLDER / "token.key").read_text(), "OIDC_ISS_ENDPOINT": f"{URL}/o",
    "SCOPES": {"openid": "who you are"}, "PKCE_REQUIRED": True, "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
    "ROTATE_REFRESH_TOKEN": True, "REFRESH_TOKEN_REUSE_PROTECTION": True,
    "REFRESH_TOKEN_GRACE_PERIOD_SECONDS": int(os.environ["TOOLKIT_GRACE"]),
    "ACCESS_TOKEN_EXPIRE_SECONDS": 1800, "REFRESH_TOKEN_EXPIRE_SECONDS": 1209600}
