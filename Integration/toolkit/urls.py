"""The admin's sign-in page, django-oauth-toolkit below /o/, and its metadata where RFC 8414 wants it."""

from django.contrib import admin
from django.urls import include, path
from oauth2_provider.urls import metadata_urlpatterns

urlpatterns = [
    path("admin/", admin.site.urls), path("o/", include("oauth2_provider.urls", namespace="oauth2_provider")),
    path("", include((metadata_urlpatterns, "metadata")))]
