// GTK 4 and libadwaita as the diary uses them: one line for each call, so that macros, variadics and casts end here.
// Every object is a void *; Sources/Toolkit is the only importer, and owns the references.
#ifndef DIARY_TOOLKIT_H
#define DIARY_TOOLKIT_H

// What was deprecated later is no error here, and nothing newer than Debian 12 has is used.
#define GLIB_VERSION_MIN_REQUIRED GLIB_VERSION_2_74
#define GLIB_VERSION_MAX_ALLOWED GLIB_VERSION_2_74
#define GDK_VERSION_MIN_REQUIRED GDK_VERSION_4_8
#define GDK_VERSION_MAX_ALLOWED GDK_VERSION_4_8
#define ADW_VERSION_MIN_REQUIRED ADW_VERSION_1_2
#define ADW_VERSION_MAX_ALLOWED ADW_VERSION_1_2

#include <adwaita.h>
#include <glib-unix.h>
#include <malloc.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- Process

// Freed memory is overwritten (below) only where neither glibc's caches of freed pieces nor GLib's own pieces keep it. Both are
// switched off by variables that are read before main, so a program without them begins anew, once. 0 where they are there.
static inline int diary_begin_anew(char **arguments) {
    const char *names[] = {"G_SLICE", "GLIBC_TUNABLES"}, *values[] = {"always-malloc", "glibc.malloc.tcache_count=0"};
    int isThere = 1;
    for (size_t at = 0; at < 2; at++) {
        const char *value = getenv(names[at]);
        if (value && strcmp(value, values[at]) == 0) continue;
        isThere = 0;
        if (setenv(names[at], values[at], 1) != 0) return -1;
    }
    if (isThere) return 0;
    // By its own path: its name in the list of processes stays what it is.
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0) return -1;
    path[length] = 0;
    return execv(path, arguments);
}

// Before the first call of GTK: what makes it, or a library below it, load code, open views that an app does not want, or print what
// passes: every word for a screen reader (GLib), every key that is pressed (libwayland-client).
static inline void diary_begin_process(void) {
    static const char *const names[] = {
        "GTK_PATH", "GTK_MODULES", "GTK_EXE_PREFIX", "GTK_DATA_PREFIX", "GIO_EXTRA_MODULES", "GIO_MODULE_DIR",
        "GDK_PIXBUF_MODULE_FILE", "GDK_PIXBUF_MODULEDIR", "GTK_IM_MODULE_FILE", "GTK_DEBUG", "GDK_DEBUG", "GSK_DEBUG",
        "GST_PLUGIN_PATH", "GST_PLUGIN_PATH_1_0", "GST_PLUGIN_SYSTEM_PATH", "GST_PLUGIN_SYSTEM_PATH_1_0", "GST_PLUGIN_SCANNER",
        "GST_PLUGIN_SCANNER_1_0", "LIBGL_DRIVERS_PATH", "GBM_BACKENDS_PATH", "GBM_DRIVERS_PATH",
        "__EGL_VENDOR_LIBRARY_DIRS", "__EGL_VENDOR_LIBRARY_FILENAMES", "WAYLAND_DEBUG", "G_DBUS_DEBUG", "G_MESSAGES_DEBUG"};
    for (size_t at = 0; at < sizeof names / sizeof *names; at++) unsetenv(names[at]);
    // A pipe whose reader is gone is an error and no end.
    signal(SIGPIPE, SIG_IGN);
    // Memory that is freed is overwritten: the words of a diary do not stay in it (glibc, mallopt(3)).
    mallopt(M_PERTURB, 0x5A);
}

// ---- Main loop: libdispatch's main queue, which is Swift's main actor, is served by GLib.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *);

static gboolean diary_drain(gint descriptor, GIOCondition condition, gpointer data) {
    uint64_t count;
    // The descriptor counts; unread it would wake the loop for ever.
    if (read(descriptor, &count, sizeof count) < 0) (void)0;
    _dispatch_main_queue_callback_4CF(NULL);
    return G_SOURCE_CONTINUE;
}
static inline void diary_serve_main_queue(void) {
    g_unix_fd_add_full(G_PRIORITY_DEFAULT, _dispatch_get_main_queue_handle_4CF(), G_IO_IN, diary_drain, NULL, NULL);
}
static inline void diary_iterate(void) { g_main_context_iteration(NULL, FALSE); }

// ---- Objects
typedef void (*diary_toggle)(void *owner, int isLast);
static void diary_toggled(gpointer toggle, GObject *object, gboolean isLast) {
    void *owner = g_object_get_data(object, "diary-owner");
    if (owner) ((diary_toggle)toggle)(owner, isLast);
}
// A reference that hears whether it is the last one: the owner lives as long as the object is in use elsewhere.
static inline void diary_keep(void *object, void *owner, diary_toggle toggle) {
    g_object_ref_sink(object);
    g_object_set_data(object, "diary-owner", owner);
    g_object_add_toggle_ref(object, diary_toggled, (gpointer)toggle);
    g_object_unref(object);
}
static inline void diary_release(void *object, diary_toggle toggle) {
    g_object_set_data(object, "diary-owner", NULL);
    g_object_remove_toggle_ref(object, diary_toggled, (gpointer)toggle);
}

// A signal's first number and first text, and what its handler says.
typedef int (*diary_call)(void *data, long number, const char *text);
typedef void (*diary_end)(void *data, void *closure);
static void diary_marshal(
    GClosure *closure, GValue *answer, guint count, const GValue *values, gpointer hint, gpointer call) {
    long number = 0;
    const char *text = NULL;
    for (guint at = count; at-- > 1;) {
        if (G_VALUE_HOLDS_UINT(&values[at])) number = g_value_get_uint(&values[at]);
        if (G_VALUE_HOLDS_INT(&values[at])) number = g_value_get_int(&values[at]);
        if (G_VALUE_HOLDS_STRING(&values[at])) text = g_value_get_string(&values[at]);
    }
    int said = ((diary_call)call)(closure->data, number, text);
    if (answer && G_VALUE_HOLDS_BOOLEAN(answer)) g_value_set_boolean(answer, said);
}
static inline void diary_connect(void *object, const char *signal, diary_call call, diary_end end, void *data) {
    GClosure *closure = g_closure_new_simple(sizeof(GClosure), data);
    g_closure_set_meta_marshal(closure, (gpointer)call, diary_marshal);
    g_closure_add_finalize_notifier(closure, data, (GClosureNotify)end);
    g_signal_connect_closure(object, signal, closure, FALSE);
}

// ---- Application
static inline void *diary_application(const char *name) { return adw_application_new(name, G_APPLICATION_DEFAULT_FLAGS); }
static inline int diary_run(void *app) { return g_application_run(app, 0, NULL); }
static inline void diary_quit(void *app) { g_application_quit(app); }
static inline void diary_notify(void *app, const char *id, const char *title, const char *body) {
    GNotification *notice = g_notification_new(title);
    g_notification_set_body(notice, body);
    g_application_send_notification(app, id, notice);
    g_object_unref(notice);
}
static inline void diary_withdraw(void *app, const char *id) { g_application_withdraw_notification(app, id); }
static inline void diary_appearance(int scheme) {
    adw_style_manager_set_color_scheme(
        adw_style_manager_get_default(),
        scheme == 1 ? ADW_COLOR_SCHEME_FORCE_LIGHT : scheme == 2 ? ADW_COLOR_SCHEME_FORCE_DARK : ADW_COLOR_SCHEME_DEFAULT);
}
static inline void diary_style(const char *sheet) {
    GtkCssProvider *provider = gtk_css_provider_new();
    gtk_css_provider_load_from_data(provider, sheet, -1);
    gtk_style_context_add_provider_for_display(
        gdk_display_get_default(), GTK_STYLE_PROVIDER(provider), GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
    g_object_unref(provider);
}
static inline void diary_icon_folder(const char *path) {
    gtk_icon_theme_add_search_path(gtk_icon_theme_get_for_display(gdk_display_get_default()), path);
}

// Both clipboards of X11; another program's content is not this one's to take.
static inline void diary_clear_clipboard(void) {
    GdkDisplay *display = gdk_display_get_default();
    GdkClipboard *both[] = {gdk_display_get_clipboard(display), gdk_display_get_primary_clipboard(display)};
    for (size_t at = 0; at < 2; at++)
        if (gdk_clipboard_is_local(both[at])) gdk_clipboard_set_content(both[at], NULL);
}

// ---- Which windows have the keyboard: questions and the dialog for files are windows of the program, too.
typedef void (*diary_told)(void *data);
struct diary_focus { diary_told call; void *data; };
// A dialog that was hidden while it had the keyboard may stay "active" for GTK: on X11 nobody tells a window that is not there any
// more that it lost it. Only one that can be seen counts.
static inline int diary_has_keyboard(void) {
    GListModel *windows = gtk_window_get_toplevels();
    int has = 0;
    for (guint at = 0; at < g_list_model_get_n_items(windows) && !has; at++) {
        GtkWindow *window = g_list_model_get_item(windows, at);
        has = gtk_widget_get_mapped(GTK_WIDGET(window)) && gtk_window_is_active(window);
        g_object_unref(window);
    }
    return has;
}
static void diary_keyboard_moved(GObject *window, GParamSpec *property, gpointer data) {
    struct diary_focus *focus = data;
    focus->call(focus->data);
}
static void diary_windows_changed(GListModel *windows, guint start, guint removed, guint added, gpointer data) {
    for (guint at = start; at < start + added; at++) {
        GObject *window = g_list_model_get_item(windows, at);
        // The list may name one twice while it changes.
        if (!g_object_get_data(window, "diary-focus")) {
            g_object_set_data(window, "diary-focus", data);
            g_signal_connect(window, "notify::is-active", G_CALLBACK(diary_keyboard_moved), data);
        }
        g_object_unref(window);
    }
    if (removed) diary_keyboard_moved(NULL, NULL, data);
}
// For as long as the process runs.
static inline void diary_watch_keyboard(diary_told call, void *data) {
    struct diary_focus *focus = g_new0(struct diary_focus, 1);
    focus->call = call;
    focus->data = data;
    GListModel *windows = gtk_window_get_toplevels();
    g_signal_connect(windows, "items-changed", G_CALLBACK(diary_windows_changed), focus);
    diary_windows_changed(windows, 0, 0, g_list_model_get_n_items(windows), focus);
}

// ---- Windows and containers
static inline void *diary_window(void *app, const char *title, int width, int height) {
    void *window = adw_application_window_new(app);
    gtk_window_set_title(window, title);
    gtk_window_set_default_size(window, width, height);
    return window;
}
static inline void diary_window_content(void *window, void *child) { adw_application_window_set_content(window, child); }
static inline void diary_window_title(void *window, const char *title) { gtk_window_set_title(window, title); }
static inline void diary_present(void *window) { gtk_window_present(window); }
static inline int diary_is_active(void *window) { return gtk_window_is_active(window); }
static inline void diary_close(void *window) { gtk_window_close(window); }
static inline void *diary_bin(void) { return adw_bin_new(); }
static inline void diary_bin_child(void *bin, void *child) { adw_bin_set_child(bin, child); }
static inline void *diary_box(int vertical, int spacing) {
    return gtk_box_new(vertical ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL, spacing);
}
static inline void diary_append(void *box, void *child) { gtk_box_append(box, child); }
static inline void *diary_clamp(void *child, int width) {
    void *clamp = adw_clamp_new();
    adw_clamp_set_maximum_size(clamp, width);
    adw_clamp_set_child(clamp, child);
    return clamp;
}
static inline void *diary_scrolled(void *child) {
    void *window = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(window, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(window, child);
    gtk_widget_set_vexpand(window, TRUE);
    return window;
}
static inline void *diary_header(void) { return adw_header_bar_new(); }
static inline void diary_header_start(void *bar, void *child) { adw_header_bar_pack_start(bar, child); }
static inline void diary_header_end(void *bar, void *child) { adw_header_bar_pack_end(bar, child); }
static inline void diary_header_title(void *bar, void *child) { adw_header_bar_set_title_widget(bar, child); }
static inline void *diary_title(const char *title) { return adw_window_title_new(title, NULL); }
static inline void *diary_stack(void) { return adw_view_stack_new(); }
static inline void diary_stack_add(void *stack, void *child, const char *name, const char *title, const char *icon) {
    adw_view_stack_page_set_icon_name(adw_view_stack_add_titled(stack, child, name, title), icon);
}
static inline void diary_stack_show(void *stack, const char *name) { adw_view_stack_set_visible_child_name(stack, name); }
static inline const char *diary_stack_name(void *stack) { return adw_view_stack_get_visible_child_name(stack); }
static inline void *diary_switcher(void *stack, const char *title) {
    void *switcher = adw_view_switcher_title_new();
    adw_view_switcher_title_set_stack(switcher, stack);
    adw_view_switcher_title_set_title(switcher, title);
    return switcher;
}
// Shown where the window is too small for the one in the header.
static inline void *diary_switcher_bar(void *stack, void *switcher) {
    void *bar = adw_view_switcher_bar_new();
    adw_view_switcher_bar_set_stack(bar, stack);
    g_object_bind_property(switcher, "title-visible", bar, "reveal", G_BINDING_SYNC_CREATE);
    return bar;
}
static inline void *diary_toasts(void *child) {
    void *overlay = adw_toast_overlay_new();
    adw_toast_overlay_set_child(overlay, child);
    return overlay;
}
// Which toasts of an overlay wait or are shown: a list that the overlay holds. Whether this one was among them.
static int diary_toast_forget(AdwToast *toast, gpointer overlay) {
    GList *there = g_object_steal_data(overlay, "diary-toasts");
    int isThere = g_list_find(there, toast) != NULL;
    if (isThere) {
        there = g_list_remove(there, toast);
        g_object_unref(toast);
    }
    g_object_set_data(overlay, "diary-toasts", there);
    return isThere;
}
// libadwaita 1.2 frees what it knows of a toast that has faded, also where its coming is still to be drawn, as in a window that was
// minimised meanwhile, and then uses it. So toasts come and go without a movement, and a second dismissal is not heard.
static int diary_still(void) {
    gboolean moves = FALSE;
    g_object_get(gtk_settings_get_default(), "gtk-enable-animations", &moves, NULL);
    g_object_set(gtk_settings_get_default(), "gtk-enable-animations", FALSE, NULL);
    return moves;
}
static void diary_moving(int moves) { g_object_set(gtk_settings_get_default(), "gtk-enable-animations", moves, NULL); }
// Before what the overlay does about it, and after it.
static void diary_toast_gone(AdwToast *toast, gpointer overlay) {
    if (diary_toast_forget(toast, overlay)) g_object_set_data(overlay, "diary-moves", GINT_TO_POINTER(diary_still()));
    else g_signal_stop_emission_by_name(toast, "dismissed");
}
static void diary_toast_went(AdwToast *toast, gpointer overlay) {
    diary_moving(GPOINTER_TO_INT(g_object_get_data(overlay, "diary-moves")));
}
// Titles of toasts and status pages are markup: what a person or server wrote is escaped.
static inline void diary_toast(void *overlay, const char *text) {
    char *escaped = g_markup_escape_text(text, -1);
    AdwToast *toast = adw_toast_new(escaped);
    // Seconds: long enough to be read to somebody.
    adw_toast_set_timeout(toast, 15);
    // At once, and what was said before comes back behind it: in a queue the answer to what was just pressed came minutes late.
    adw_toast_set_priority(toast, ADW_TOAST_PRIORITY_HIGH);
    GList *there = g_object_steal_data(overlay, "diary-toasts");
    g_object_set_data(overlay, "diary-toasts", g_list_append(there, g_object_ref(toast)));
    g_signal_connect(toast, "dismissed", G_CALLBACK(diary_toast_gone), overlay);
    g_signal_connect_after(toast, "dismissed", G_CALLBACK(diary_toast_went), overlay);
    int moves = diary_still();
    adw_toast_overlay_add_toast(overlay, toast);
    diary_moving(moves);
    g_free(escaped);
}
static inline void diary_toasts_end(void *overlay) {
    for (GList *there; (there = g_object_get_data(overlay, "diary-toasts"));) {
        AdwToast *toast = g_object_ref(there->data);
        adw_toast_dismiss(toast);
        diary_toast_forget(toast, overlay);
        g_object_unref(toast);
    }
}
static inline void *diary_status(const char *icon, const char *title, const char *text, void *child) {
    void *page = adw_status_page_new();
    char *escapedTitle = g_markup_escape_text(title, -1), *escaped = g_markup_escape_text(text, -1);
    adw_status_page_set_icon_name(page, icon);
    adw_status_page_set_title(page, escapedTitle);
    adw_status_page_set_description(page, escaped);
    if (child) adw_status_page_set_child(page, child);
    g_free(escapedTitle);
    g_free(escaped);
    return page;
}

// ---- What is in them
static inline void *diary_label(const char *text, int lines) {
    void *label = gtk_label_new(text);
    gtk_label_set_wrap(label, lines);
    gtk_label_set_wrap_mode(label, PANGO_WRAP_WORD_CHAR);
    gtk_label_set_xalign(label, 0);
    return label;
}
// What is said while the veil (below) is on waits with what the widget said before, in its place: whether it is on.
static inline int diary_put_off(void *widget, const char *key, const char *text) {
    if (!g_object_get_data(widget, "diary-veiled")) return 0;
    g_object_set_data_full(widget, key, g_strdup(text), g_free);
    return 1;
}
static inline void diary_label_text(void *label, const char *text) {
    if (!diary_put_off(label, "diary-label", text)) gtk_label_set_text(label, text);
}
static inline void diary_label_centered(void *label) {
    gtk_label_set_xalign(label, 0.5);
    gtk_label_set_justify(label, GTK_JUSTIFY_CENTER);
}
static inline void diary_label_selectable(void *label) { gtk_label_set_selectable(label, TRUE); }
static inline void *diary_button(const char *text) { return gtk_button_new_with_label(text); }
static inline void diary_button_label(void *button, const char *text) { gtk_button_set_label(button, text); }
static inline void *diary_icon_button(const char *icon) { return gtk_button_new_from_icon_name(icon); }
static inline void *diary_plain_button(void) { return gtk_button_new(); }
static inline void diary_button_child(void *button, void *child) { gtk_button_set_child(button, child); }
static inline void *diary_image(const char *icon, int size) {
    void *image = gtk_image_new_from_icon_name(icon);
    if (size > 0) gtk_image_set_pixel_size(image, size);
    return image;
}
static inline void *diary_spinner(void) {
    void *spinner = gtk_spinner_new();
    gtk_spinner_start(spinner);
    return spinner;
}
static inline void *diary_progress(double part) {
    void *bar = gtk_progress_bar_new();
    gtk_progress_bar_set_fraction(bar, part);
    return bar;
}
static inline void *diary_switch(int state) {
    void *toggle = gtk_switch_new();
    gtk_switch_set_active(toggle, state);
    gtk_widget_set_valign(toggle, GTK_ALIGN_CENTER);
    return toggle;
}
static inline int diary_switch_state(void *toggle) { return gtk_switch_get_active(toggle); }
static inline void diary_switch_turn(void *toggle, int state) { gtk_switch_set_active(toggle, state); }

// ---- Rows
static inline void *diary_group(const char *title, const char *text) {
    void *group = adw_preferences_group_new();
    char *escapedTitle = g_markup_escape_text(title, -1), *escaped = g_markup_escape_text(text, -1);
    adw_preferences_group_set_title(group, escapedTitle);
    adw_preferences_group_set_description(group, *escaped ? escaped : NULL);
    g_free(escapedTitle);
    g_free(escaped);
    return group;
}
static inline void diary_group_add(void *group, void *row) { adw_preferences_group_add(group, row); }
static inline void *diary_row(const char *title, const char *subtitle) {
    void *row = adw_action_row_new();
    adw_preferences_row_set_use_markup(row, FALSE);
    adw_preferences_row_set_title(row, title);
    adw_action_row_set_subtitle(row, subtitle);
    adw_action_row_set_title_lines(row, 0);
    adw_action_row_set_subtitle_lines(row, 0);
    return row;
}
static inline void diary_row_subtitle(void *row, const char *text) {
    if (!diary_put_off(row, "diary-subtitle", text)) adw_action_row_set_subtitle(row, text);
}
static inline void diary_row_suffix(void *row, void *child) { adw_action_row_add_suffix(row, child); }
static inline void diary_row_prefix(void *row, void *child) { adw_action_row_add_prefix(row, child); }
static inline void diary_row_activates(void *row, void *child) {
    if (child) adw_action_row_set_activatable_widget(row, child);
    gtk_list_box_row_set_activatable(row, TRUE);
}
static inline void *diary_entry(const char *title, const char *text) {
    void *row = adw_entry_row_new();
    adw_preferences_row_set_use_markup(row, FALSE);
    adw_preferences_row_set_title(row, title);
    gtk_editable_set_text(row, text);
    return row;
}
static inline void diary_entry_applies(void *row) { adw_entry_row_set_show_apply_button(row, TRUE); }
// While the veil is on, what was typed lies beside it: who read the field would take it for emptied.
static inline const char *diary_entry_text(void *row) {
    void *typed = gtk_editable_get_delegate(row);
    if (!typed || !g_object_get_data(typed, "diary-veiled")) return gtk_editable_get_text(row);
    const char *text = g_object_get_data(typed, "diary-typed");
    return text ? text : "";
}
static inline void diary_entry_set(void *row, const char *text) {
    void *typed = gtk_editable_get_delegate(row);
    if (!typed || !diary_put_off(typed, "diary-typed", text)) gtk_editable_set_text(row, text);
}
static inline void *diary_choice(const char *title) {
    void *row = adw_combo_row_new();
    adw_preferences_row_set_use_markup(row, FALSE);
    adw_preferences_row_set_title(row, title);
    void *list = gtk_string_list_new(NULL);
    adw_combo_row_set_model(row, list);
    g_object_unref(list);
    return row;
}
static inline void diary_choice_add(void *row, const char *name) {
    gtk_string_list_append((GtkStringList *)adw_combo_row_get_model(row), name);
}
static inline void diary_choice_select(void *row, int index) { adw_combo_row_set_selected(row, index); }
static inline int diary_choice_selected(void *row) { return adw_combo_row_get_selected(row); }

// ---- Any widget
static inline void diary_class(void *widget, const char *name) { gtk_widget_add_css_class(widget, name); }
static inline void diary_class_off(void *widget, const char *name) { gtk_widget_remove_css_class(widget, name); }
static inline void diary_margin(void *widget, int points) {
    gtk_widget_set_margin_top(widget, points);
    gtk_widget_set_margin_bottom(widget, points);
    gtk_widget_set_margin_start(widget, points);
    gtk_widget_set_margin_end(widget, points);
}
static inline void diary_size(void *widget, int width, int height) { gtk_widget_set_size_request(widget, width, height); }
static inline void diary_expand(void *widget) {
    gtk_widget_set_hexpand(widget, TRUE);
    gtk_widget_set_vexpand(widget, TRUE);
}
static inline void diary_center(void *widget) {
    gtk_widget_set_halign(widget, GTK_ALIGN_CENTER);
    gtk_widget_set_valign(widget, GTK_ALIGN_CENTER);
}
static inline void diary_sensitive(void *widget, int state) { gtk_widget_set_sensitive(widget, state); }
static inline void diary_visible(void *widget, int state) { gtk_widget_set_visible(widget, state); }
static inline void diary_focus(void *widget) { gtk_widget_grab_focus(widget); }
static inline void diary_tooltip(void *widget, const char *text) { gtk_widget_set_tooltip_text(widget, text); }
// A tooltip is a description, too, and stays where there is no other one.
static inline void diary_accessible_now(void *widget, const char *name, const char *text) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    if (text) gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}
static inline void diary_accessible(void *widget, const char *name, const char *text) {
    g_object_set_data_full(widget, "diary-name", g_strdup(name), g_free);
    g_object_set_data_full(widget, "diary-text", *text ? g_strdup(text) : NULL, g_free);
    if (!g_object_get_data(widget, "diary-veiled")) diary_accessible_now(widget, name, text);
}

// ---- Veil: GTK 4 gives the names and texts of each widget that was read once to every program on the accessibility bus
// (org.a11y.atspi.Cache), also of one that is in no window, until the widget ends. So they are taken out of it meanwhile.
static inline void diary_put_away(void *widget, const char *key, const char *text) {
    if (text && *text) g_object_set_data_full(widget, key, g_strdup(text), g_free);
}
static inline void diary_veil(void *widget) {
    g_object_set_data(widget, "diary-veiled", widget);
    if (g_object_get_data(widget, "diary-name"))
        diary_accessible_now(widget, "", g_object_get_data(widget, "diary-text") ? "" : NULL);
    // Before the labels in it, which have the same texts. A question's heading is its own name on the bus, too.
    if (ADW_IS_MESSAGE_DIALOG(widget)) {
        diary_put_away(widget, "diary-heading", adw_message_dialog_get_heading((AdwMessageDialog *)widget));
        diary_put_away(widget, "diary-body", adw_message_dialog_get_body((AdwMessageDialog *)widget));
        adw_message_dialog_set_heading((AdwMessageDialog *)widget, "");
        adw_message_dialog_set_body((AdwMessageDialog *)widget, "");
        diary_accessible_now(widget, "", NULL);
    }
    if (ADW_IS_PREFERENCES_ROW(widget)) {
        diary_put_away(widget, "diary-title", adw_preferences_row_get_title(widget));
        adw_preferences_row_set_title(widget, "");
    }
    if (ADW_IS_ACTION_ROW(widget)) {
        diary_put_away(widget, "diary-subtitle", adw_action_row_get_subtitle(widget));
        adw_action_row_set_subtitle(widget, "");
    }
    if (GTK_IS_LABEL(widget)) {
        diary_put_away(widget, "diary-label", gtk_label_get_label(widget));
        gtk_label_set_label(widget, "");
    }
    if (GTK_IS_TEXT(widget)) {
        diary_put_away(widget, "diary-typed", gtk_editable_get_text(widget));
        gtk_editable_set_text(widget, "");
    }
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child)) diary_veil(child);
}
static inline void diary_unveil(void *widget) {
    g_object_set_data(widget, "diary-veiled", NULL);
    char *text = g_object_steal_data(widget, "diary-heading");
    if (text) {
        adw_message_dialog_set_heading((AdwMessageDialog *)widget, text);
        diary_accessible_now(widget, text, NULL);
    }
    g_free(text);
    if ((text = g_object_steal_data(widget, "diary-body"))) adw_message_dialog_set_body((AdwMessageDialog *)widget, text);
    g_free(text);
    text = g_object_steal_data(widget, "diary-title");
    if (text) adw_preferences_row_set_title(widget, text);
    g_free(text);
    if ((text = g_object_steal_data(widget, "diary-subtitle"))) adw_action_row_set_subtitle(widget, text);
    g_free(text);
    if ((text = g_object_steal_data(widget, "diary-label"))) gtk_label_set_label(widget, text);
    g_free(text);
    if ((text = g_object_steal_data(widget, "diary-typed"))) gtk_editable_set_text(widget, text);
    g_free(text);
    const char *name = g_object_get_data(widget, "diary-name");
    if (name) diary_accessible_now(widget, name, g_object_get_data(widget, "diary-text"));
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child)) diary_unveil(child);
}
static inline void *diary_keys(void *widget) {
    void *keys = gtk_event_controller_key_new();
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
    gtk_widget_add_controller(widget, keys);
    return keys;
}

// ---- Drawing
typedef void (*diary_draw)(void *data, void *area, void *pen, int width, int height);
struct diary_drawing { diary_draw call; diary_end end; void *data; };
static void diary_draws(GtkDrawingArea *area, cairo_t *pen, int width, int height, gpointer data) {
    struct diary_drawing *drawing = data;
    drawing->call(drawing->data, area, pen, width, height);
}
static void diary_drawn(gpointer data) {
    struct diary_drawing *drawing = data;
    drawing->end(drawing->data, NULL);
    g_free(drawing);
}
static inline void *diary_drawing(diary_draw call, diary_end end, void *data) {
    void *area = g_object_new(GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL);
    struct diary_drawing *drawing = g_new0(struct diary_drawing, 1);
    drawing->call = call;
    drawing->end = end;
    drawing->data = data;
    gtk_drawing_area_set_draw_func(area, diary_draws, drawing, diary_drawn);
    return area;
}
static inline void diary_text_color(void *widget, double *color) {
    GdkRGBA found;
    gtk_style_context_get_color(gtk_widget_get_style_context(widget), &found);
    color[0] = found.red;
    color[1] = found.green;
    color[2] = found.blue;
}
static inline void diary_pen_color(void *pen, double red, double green, double blue, double alpha) {
    cairo_set_source_rgba(pen, red, green, blue, alpha);
}
static inline void diary_pen_fill(void *pen, double x, double y, double width, double height) {
    cairo_rectangle(pen, x, y, width, height);
    cairo_fill(pen);
}
static inline void diary_pen_line(void *pen, double x, double y, double toX, double toY) {
    cairo_set_line_width(pen, 1);
    cairo_move_to(pen, x, y);
    cairo_line_to(pen, toX, toY);
    cairo_stroke(pen);
}
static inline void diary_pen_text(void *pen, void *widget, double x, double y, const char *text, int aligned) {
    PangoLayout *layout = gtk_widget_create_pango_layout(widget, text);
    PangoFontDescription *font = pango_font_description_from_string("Sans 8");
    pango_layout_set_font_description(layout, font);
    pango_font_description_free(font);
    int width = 0, height = 0;
    pango_layout_get_pixel_size(layout, &width, &height);
    cairo_move_to(pen, x - (aligned == 1 ? width / 2.0 : aligned == 2 ? width : 0), y - height / 2.0);
    pango_cairo_show_layout(pen, layout);
    g_object_unref(layout);
}

// ---- Questions and files
static inline void *diary_question(void *window, const char *heading, const char *body) {
    void *dialog = adw_message_dialog_new(window, heading, body);
    adw_message_dialog_set_body_use_markup(dialog, FALSE);
    adw_message_dialog_set_heading_use_markup(dialog, FALSE);
    return dialog;
}
static inline void diary_question_answer(void *dialog, const char *id, const char *text, int kind) {
    adw_message_dialog_add_response(dialog, id, text);
    if (kind) adw_message_dialog_set_response_appearance(
        dialog, id, kind == 2 ? ADW_RESPONSE_DESTRUCTIVE : ADW_RESPONSE_SUGGESTED);
}
// What Escape, Enter and a closed window mean: the safe answer.
static inline void diary_question_safe(void *dialog, const char *id) {
    adw_message_dialog_set_default_response(dialog, id);
    adw_message_dialog_set_close_response(dialog, id);
}
static inline void diary_question_child(void *dialog, void *child) { adw_message_dialog_set_extra_child(dialog, child); }
static inline void *diary_file_dialog(void *window, const char *title, int saves, const char *name) {
    void *dialog = gtk_file_chooser_native_new(
        title, window, saves ? GTK_FILE_CHOOSER_ACTION_SAVE : GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
    if (saves) gtk_file_chooser_set_current_name(dialog, name);
    return dialog;
}
static inline void diary_file_show(void *dialog) { gtk_native_dialog_show(dialog); }
static inline void diary_file_hide(void *dialog) { gtk_native_dialog_hide(dialog); }
// GTK's dialog writes what was chosen into the list of recent files (recently-used.xbel), which all programs of the person read. An
// entry that nobody made but this program is taken out again, before the list is written: it is a quarter of a second later.
static inline gboolean diary_forget_recent(void *uri) {
    GtkRecentManager *manager = gtk_recent_manager_get_default();
    GtkRecentInfo *info = gtk_recent_manager_lookup_item(manager, uri, NULL);
    if (info) {
        gsize count = 0;
        char **programs = gtk_recent_info_get_applications(info, &count);
        if (count == 1 && gtk_recent_info_has_application(info, g_get_application_name()))
            gtk_recent_manager_remove_item(manager, uri, NULL);
        g_strfreev(programs);
        gtk_recent_info_unref(info);
    }
    return G_SOURCE_REMOVE;
}
// The path, to be freed; NULL for what is no file of this machine.
static inline char *diary_file_path(void *dialog) {
    GFile *file = gtk_file_chooser_get_file(dialog);
    char *path = file ? g_file_get_path(file) : NULL;
    // After what the dialog does on its own once it was answered.
    if (file) g_idle_add_full(G_PRIORITY_LOW, diary_forget_recent, g_file_get_uri(file), g_free);
    if (file) g_object_unref(file);
    return path;
}
static inline void diary_free(void *memory) { g_free(memory); }

#endif
