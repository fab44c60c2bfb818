"""WsgiDAV on Cheroot: a folder of files for one person, over TLS. Usage: FOLDER PORT CHAIN KEY PASSWORD"""

import sys

from cheroot import wsgi
from cheroot.ssl.builtin import BuiltinSSLAdapter
from wsgidav.fs_dav_provider import FilesystemProvider
from wsgidav.wsgidav_app import WsgiDAVApp

folder, port, chain, key, password = sys.argv[1:6]
application = WsgiDAVApp({
    "provider_mapping": {"/": FilesystemProvider(folder, readonly=False)},
    "http_authenticator": {"domain_controller": None, "accept_basic": True, "accept_digest": False, "default_to_digest": False},
    "simple_dc": {"user_mapping": {"*": {"ada": {"password": password}}}},
    "verbose": 1, "logging": {"enable": False}, "lock_storage": True, "property_manager": True,
})
server = wsgi.Server(("127.0.0.1", int(port)), application, numthreads=8)
server.ssl_adapter = BuiltinSSLAdapter(chain, key)
server.start()
