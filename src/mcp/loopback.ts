/** Names under which only programs on this machine reach a server. */
export const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '::1'];

/** Whether a server that listens on `host` can be reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return LOOPBACK_NAMES.includes(host.toLowerCase()) || /^(::ffff:)?127(\.\d{1,3}){3}$/i.test(host);
}
