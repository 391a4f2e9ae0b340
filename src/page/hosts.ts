/**
 * The host names that the page answers. Loopback alone does not protect: any web page can make a browser send requests to 127.0.0.1
 * under a name of its own. Pure.
 */

export interface PageHosts {
  /** Accepted values of `Host`, in lower case, with the port as browsers send it. */
  readonly hosts: ReadonlySet<string>;
  /** Accepted values of `Origin`. */
  readonly origins: ReadonlySet<string>;
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * @param port that the server listens on
 * @param allowed `allowed_hosts` of the config: exactly the `Host` of the browser, also behind a proxy with TLS
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
