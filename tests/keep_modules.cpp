// Linked into sanitized programs alone: a dlclose that closes nothing. LeakSanitizer looks at the end, and
// takes what a driver that has been unloaded by then still pointed at for leaks of ours.
extern "C" int dlclose(void*) {
    return 0;
}
