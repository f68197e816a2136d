/** The source of a pattern for a host on this machine, as addresses write it. */
export const LOOPBACK_HOST = String.raw`(127(\.\d{1,3}){3}|localhost|\[::1\])`
