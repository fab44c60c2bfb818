// WebKitGTK as one view of one page: nothing of it is kept, nothing goes out, nothing runs. Each layer says whether it stands, as the
// library itself tells it afterwards. One file imports it: what is static here is its own.
#ifndef DOCUMENT_VIEW_H
#define DOCUMENT_VIEW_H

#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <webkit/webkit.h>

// One view in a process.
struct view_state {
    GtkWidget *window, *web, *cover;
    WebKitUserContentFilter *filter;
    int is_saved, is_loading;
    gulong decides;
    void (*active)(int is_active);
};
static inline struct view_state *view_now(void) {
    static struct view_state state;
    return &state;
}

// ---- A network of its own, in which there is nothing

// Whether something other than loopback is up here, or nobody can say.
static inline int view_leads_out(void) {
    struct ifaddrs *all = NULL;
    if (getifaddrs(&all) != 0) return 1;
    int leads = 0;
    for (struct ifaddrs *one = all; one; one = one->ifa_next)
        if ((one->ifa_flags & IFF_UP) && !(one->ifa_flags & IFF_LOOPBACK)) leads = 1;
    freeifaddrs(all);
    return leads;
}

// Runs the program anew in one where the system gives it, and does not come back then: a process with threads cannot go there. A
// probe runs first. Whether it is there; standard input was not read.
static inline int view_is_alone(const char *name) {
    if (getenv("DOCUMENT_ALONE")) {
        unsetenv("DOCUMENT_ALONE");
        // Others may have set it.
        return !view_leads_out();
    }
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 1) return 0;
    program[length] = 0;
    const char *unshare = "/usr/bin/unshare";
    int status = 1;
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_RDWR);
        dup2(nowhere, STDIN_FILENO);
        dup2(nowhere, STDERR_FILENO);
        execl(unshare, unshare, "--user", "--map-current-user", "--net", "--", "/bin/true", (char *)NULL);
        _exit(1);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) return 0;
    setenv("DOCUMENT_ALONE", "1", 1);
    execl(unshare, unshare, "--user", "--map-current-user", "--net", "--", program, name, (char *)NULL);
    unsetenv("DOCUMENT_ALONE");
    return 0;
}

// Before the first call of GTK: what makes it, WebKit or a library below them load code, open views, leave the sandbox out, or print
// what passes.
static inline void view_begin(void) {
    static const char *const names[] = {
        "GTK_PATH", "GTK_MODULES", "GTK_EXE_PREFIX", "GTK_DATA_PREFIX", "GIO_EXTRA_MODULES", "GIO_MODULE_DIR",
        "GDK_PIXBUF_MODULE_FILE", "GDK_PIXBUF_MODULEDIR", "GTK_IM_MODULE_FILE", "GTK_DEBUG", "GDK_DEBUG", "GSK_DEBUG",
        "GST_PLUGIN_PATH", "GST_PLUGIN_PATH_1_0", "GST_PLUGIN_SYSTEM_PATH", "GST_PLUGIN_SYSTEM_PATH_1_0", "GST_PLUGIN_SCANNER",
        "GST_PLUGIN_SCANNER_1_0", "WEBKIT_INSPECTOR_SERVER", "WEBKIT_INSPECTOR_HTTP_SERVER", "WEBKIT_EXEC_PATH",
        "WEBKIT_INJECTED_BUNDLE_PATH", "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "WEBKIT_FORCE_SANDBOX", "WEBKIT_DEBUG",
        "LIBGL_DRIVERS_PATH", "GBM_BACKENDS_PATH", "GBM_DRIVERS_PATH", "__EGL_VENDOR_LIBRARY_DIRS", "__EGL_VENDOR_LIBRARY_FILENAMES",
        "WAYLAND_DEBUG", "G_DBUS_DEBUG", "G_MESSAGES_DEBUG"};
    for (size_t at = 0; at < sizeof names / sizeof *names; at++) unsetenv(names[at]);
    gtk_init();
}

// ---- Layers

static void view_saved(GObject *store, GAsyncResult *result, gpointer data) {
    view_now()->filter = webkit_user_content_filter_store_save_finish(WEBKIT_USER_CONTENT_FILTER_STORE(store), result, NULL);
    view_now()->is_saved = 1;
}
static gboolean view_gave_up(gpointer data) {
    view_now()->is_saved = 1;
    return G_SOURCE_REMOVE;
}
// A list that blocks every address but those inside the page. It is compiled by another thread.
static inline void view_compile_rules(const char *rules) {
    char *folder = g_dir_make_tmp("document-rules-XXXXXX", NULL);
    if (!folder) return;
    WebKitUserContentFilterStore *store = webkit_user_content_filter_store_new(folder);
    GBytes *bytes = g_bytes_new(rules, strlen(rules));
    webkit_user_content_filter_store_save(store, "page", bytes, NULL, view_saved, NULL);
    guint timer = g_timeout_add_seconds(20, view_gave_up, NULL);
    while (!view_now()->is_saved) g_main_context_iteration(NULL, TRUE);
    if (view_now()->filter) g_source_remove(timer);
    g_bytes_unref(bytes);
    g_object_unref(store);
    // What was compiled is mapped already.
    GDir *names = g_dir_open(folder, 0, NULL);
    for (const char *name; names && (name = g_dir_read_name(names));) {
        char *path = g_build_filename(folder, name, NULL);
        g_unlink(path);
        g_free(path);
    }
    if (names) g_dir_close(names);
    g_rmdir(folder);
    g_free(folder);
}

// The first load, of the page itself, and nothing after it.
static gboolean view_decides(WebKitWebView *web, WebKitPolicyDecision *decision, WebKitPolicyDecisionType type, gpointer data) {
    const char *address = NULL;
    if (type == WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION) {
        WebKitNavigationAction *action =
            webkit_navigation_policy_decision_get_navigation_action(WEBKIT_NAVIGATION_POLICY_DECISION(decision));
        address = webkit_uri_request_get_uri(webkit_navigation_action_get_request(action));
    }
    if (type == WEBKIT_POLICY_DECISION_TYPE_RESPONSE)
        address = webkit_uri_request_get_uri(
            webkit_response_policy_decision_get_request(WEBKIT_RESPONSE_POLICY_DECISION(decision)));
    if (view_now()->is_loading && address && strcmp(address, "about:blank") == 0) webkit_policy_decision_use(decision);
    else webkit_policy_decision_ignore(decision);
    return TRUE;
}
static void view_loads(WebKitWebView *web, WebKitLoadEvent event, gpointer data) {
    if (event == WEBKIT_LOAD_FINISHED) view_now()->is_loading = 0;
}
static GtkWidget *view_makes_none(WebKitWebView *web, WebKitNavigationAction *action, gpointer data) { return NULL; }
static gboolean view_permits_nothing(WebKitWebView *web, WebKitPermissionRequest *request, gpointer data) {
    webkit_permission_request_deny(request);
    return TRUE;
}
static gboolean view_offers_nothing(WebKitWebView *web, WebKitContextMenu *menu, WebKitHitTestResult *result, gpointer data) {
    return TRUE;
}
// A page that breaks its process is not shown again.
static void view_ended(WebKitWebView *web, WebKitWebProcessTerminationReason reason, gpointer data) { exit(1); }
static void view_closed(GtkWidget *window, gpointer data) { exit(0); }
static void view_turned(GObject *window, GParamSpec *property, gpointer data) {
    if (view_now()->active) view_now()->active(gtk_window_is_active(GTK_WINDOW(window)));
}

// The layers of `wanted`, of which a test leaves some out. Which of them stand is asked afterwards: view_stands.
enum { view_policy = 1, view_scripts = 2, view_store = 4, view_rules = 8, view_navigation = 16, view_proxy = 32, view_all = 63, view_network = 64 };

static inline void view_make(const char *title, const char *policy, const char *rules, const char *cover, int wanted) {
    WebKitNetworkSession *session =
        wanted & view_store ? webkit_network_session_new_ephemeral() : webkit_network_session_new(g_get_tmp_dir(), g_get_tmp_dir());
    if (wanted & view_proxy) {
        // An unprivileged program cannot listen there.
        WebKitNetworkProxySettings *proxy = webkit_network_proxy_settings_new("http://127.0.0.1:9", NULL);
        webkit_network_session_set_proxy_settings(session, WEBKIT_NETWORK_PROXY_MODE_CUSTOM, proxy);
        webkit_network_proxy_settings_free(proxy);
    }
    WebKitUserContentManager *content = webkit_user_content_manager_new();
    if (wanted & view_rules) {
        view_compile_rules(rules);
        if (view_now()->filter) webkit_user_content_manager_add_filter(content, view_now()->filter);
    }
    int scripts = !(wanted & view_scripts);
    WebKitSettings *settings = g_object_new(
        WEBKIT_TYPE_SETTINGS, "enable-javascript", scripts, "enable-javascript-markup", scripts, "enable-media", FALSE,
        "enable-webgl", FALSE, "enable-webaudio", FALSE, "enable-html5-database", FALSE, "enable-html5-local-storage", FALSE,
        "enable-page-cache", FALSE, "enable-developer-extras", FALSE, "enable-fullscreen", FALSE, "allow-modal-dialogs", FALSE,
        "hardware-acceleration-policy", WEBKIT_HARDWARE_ACCELERATION_POLICY_NEVER, NULL);
    view_now()->web = g_object_new(
        WEBKIT_TYPE_WEB_VIEW, "network-session", session, "user-content-manager", content, "settings", settings,
        "default-content-security-policy", wanted & view_policy ? policy : NULL, NULL);
    g_object_ref_sink(view_now()->web);
    if (wanted & view_navigation)
        view_now()->decides = g_signal_connect(view_now()->web, "decide-policy", G_CALLBACK(view_decides), NULL);
    g_signal_connect(view_now()->web, "load-changed", G_CALLBACK(view_loads), NULL);
    g_signal_connect(view_now()->web, "create", G_CALLBACK(view_makes_none), NULL);
    g_signal_connect(view_now()->web, "permission-request", G_CALLBACK(view_permits_nothing), NULL);
    g_signal_connect(view_now()->web, "context-menu", G_CALLBACK(view_offers_nothing), NULL);
    g_signal_connect(view_now()->web, "web-process-terminated", G_CALLBACK(view_ended), NULL);
    view_now()->window = gtk_window_new();
    gtk_window_set_title(GTK_WINDOW(view_now()->window), title);
    gtk_window_set_default_size(GTK_WINDOW(view_now()->window), 800, 900);
    g_signal_connect(view_now()->window, "destroy", G_CALLBACK(view_closed), NULL);
    g_signal_connect(view_now()->window, "notify::is-active", G_CALLBACK(view_turned), NULL);
    view_now()->cover = gtk_label_new(cover);
    g_object_ref_sink(view_now()->cover);
    gtk_window_set_child(GTK_WINDOW(view_now()->window), view_now()->cover);
    g_object_unref(session);
    g_object_unref(content);
    g_object_unref(settings);
}

// What stands, asked of the library.
static inline int view_stands(const char *policy) {
    WebKitWebView *web = WEBKIT_WEB_VIEW(view_now()->web);
    WebKitSettings *settings = webkit_web_view_get_settings(web);
    const char *own = webkit_web_view_get_default_content_security_policy(web);
    int stands = 0;
    if (own && strcmp(own, policy) == 0) stands |= view_policy;
    if (!webkit_settings_get_enable_javascript(settings) && !webkit_settings_get_enable_javascript_markup(settings))
        stands |= view_scripts;
    if (webkit_network_session_is_ephemeral(webkit_web_view_get_network_session(web))) stands |= view_store;
    if (view_now()->filter) stands |= view_rules;
    if (view_now()->decides && g_signal_handler_is_connected(view_now()->web, view_now()->decides)) stands |= view_navigation;
    return stands;
}

// ---- Showing

static inline void view_show(const char *page) {
    view_now()->is_loading = 1;
    webkit_web_view_load_html(WEBKIT_WEB_VIEW(view_now()->web), page, NULL);
    gtk_window_present(GTK_WINDOW(view_now()->window));
}
// The content leaves the window: assistive technology reads what lies under a cover.
static inline void view_cover(int isCovered) {
    gtk_window_set_child(GTK_WINDOW(view_now()->window), isCovered ? view_now()->cover : view_now()->web);
}
static inline void view_on_active(void (*active)(int is_active)) { view_now()->active = active; }
// Where standard output is a pipe, the window goes with its reader, who asked for it.
static gboolean view_reader_gone(gint descriptor, GIOCondition condition, gpointer data) { exit(0); }
static inline void view_follow_reader(void) {
    struct stat facts;
    if (fstat(STDOUT_FILENO, &facts) == 0 && S_ISFIFO(facts.st_mode))
        g_unix_fd_add(STDOUT_FILENO, G_IO_ERR, view_reader_gone, NULL);
}
static inline void view_run(void) {
    while (g_list_model_get_n_items(gtk_window_get_toplevels()) > 0) g_main_context_iteration(NULL, TRUE);
}

#endif
