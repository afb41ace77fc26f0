import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Config } from '../config';
import { LOOPBACK_NAMES } from '../loopback';
import { Refusal } from './refusal';

/**
 * Who may speak to the server. A page in a browser on this machine reaches loopback, too: its script can send requests
 * under a name that it lets point here (DNS rebinding), or from another site. So both names are checked.
 */
export class HttpAccess {
  private readonly names: Set<string>;
  private readonly token: Buffer | undefined;

  constructor({ host, token, allowedHosts }: Config['http']) {
    const given = [host, ...allowedHosts].map((name) => hostName(name) ?? name.toLowerCase());
    this.names = new Set([...LOOPBACK_NAMES, ...given]);
    this.token = token === undefined ? undefined : digest(token);
  }

  /** Throws a Refusal if the request names another host or comes from another site. */
  checkNames({ headers, socket }: IncomingMessage): void {
    const local = socket.localAddress?.replace(/^::ffff:/, '');
    if (!this.isOurs(hostName(headers.host ?? ''), local)) {
      throw new Refusal(403, `Host not allowed: ${quote(headers.host)}. NINEPLAN_HTTP_ALLOWED_HOSTS lists more names.`);
    }
    const { origin } = headers;
    if (origin === undefined) return;
    const [, named = ''] = /^https?:\/\/(.*)$/i.exec(origin) ?? [];
    if (!this.isOurs(hostName(named), local)) throw new Refusal(403, `Origin not allowed: ${quote(origin)}`);
  }

  /** Throws a Refusal unless the request carries the token, if there is one. */
  checkToken({ headers }: IncomingMessage): void {
    if (this.token === undefined) return;
    const [, given] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
    // Digests have one length, so that the comparison tells nothing of the token's.
    if (given !== undefined && timingSafeEqual(digest(given), this.token)) return;
    const challenge = given === undefined ? 'Bearer realm="9plan"' : 'Bearer realm="9plan", error="invalid_token"';
    const message = 'Unauthorized: send the token of NINEPLAN_HTTP_TOKEN as "Authorization: Bearer …"';
    throw new Refusal(401, message, undefined, { 'www-authenticate': challenge });
  }

  /** An address that the connection came in by is no name that somebody could let point here. */
  private isOurs(name: string | undefined, localAddress: string | undefined): boolean {
    return name !== undefined && (this.names.has(name) || name === localAddress);
  }
}

/** The host of `host[:port]`, without the brackets of an IPv6 address; undefined if it is neither. */
function hostName(hostAndPort: string): string | undefined {
  const [, address, name] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(hostAndPort) ?? [];
  return (address ?? name)?.toLowerCase();
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function quote(header: string | undefined): string {
  return header === undefined ? 'none was sent' : JSON.stringify(header.slice(0, 100));
}
