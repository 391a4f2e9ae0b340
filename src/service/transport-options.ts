/** The options of a connection. No type of undici: the declarations of the package reach this file. */

/** Proxy addresses as in the usual environment variables, which the caller reads. */
export interface ProxySettings {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
}

export interface TransportOptions {
  readonly proxy?: ProxySettings;
  /** PEM text of certificate authorities to trust beside the system's. */
  readonly ca?: string;
}

/** Whether the first byte of a request was handed to the connection. */
export interface SentFlag {
  value: boolean;
}
