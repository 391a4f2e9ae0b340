/** Which names the page answers to. Loopback is no boundary: a web page anywhere can make a browser ask 127.0.0.1 under a name of its own. Pure. */

export interface PageHosts {
  /** Values of `Host` that are answered, lower case, with the port as browsers send it. */
  readonly hosts: ReadonlySet<string>;
  /** Values of `Origin` that may ask. */
  readonly origins: ReadonlySet<string>;
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * @param port the one that is really listened on
 * @param allowed `allowed_hosts` of the config: exactly what the browser's `Host` says, also behind a proxy with TLS
 */
export function pageHosts(port: number, allowed: readonly string[]): PageHosts {
  const loopback = LOOPBACK.map((host) => `${host}:${port}`);
  const others = allowed.map((host) => host.toLowerCase());
  const origins = [
    ...loopback.map((host) => `http://${host}`),
    ...others.flatMap((host) => [`http://${host}`, `https://${host}`]),
  ];
  return { hosts: new Set([...loopback, ...others]), origins: new Set(origins) };
}
