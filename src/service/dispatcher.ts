/** Connections with undici, and the mark of a request that was sent. Loaded with the first request. */
import { getCACertificates } from 'node:tls';
import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { SILENCE_TIMEOUT_MS } from './answer-time.ts';
import type { SentFlag, TransportOptions } from './transport-options.ts';

// undici's own defaults are 300 s: an answer after that time is useless anyway.
const CONNECT_TIMEOUT_MS = 10_000;

/** A pool of connections to one origin (scheme, host and port), or an agent that goes through the proxy. */
export function openDispatcher(origin: string, options: TransportOptions): Dispatcher {
  const { ca, proxy } = options;
  const trust = ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] };
  const shared = {
    headersTimeout: SILENCE_TIMEOUT_MS,
    bodyTimeout: SILENCE_TIMEOUT_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS, ...trust },
    allowH2: false,
  };
  if (proxy === undefined) return new Pool(origin, shared).compose(flagSent);
  // Empty strings, because undici reads absent values from the environment.
  const { httpProxy = '', httpsProxy = '', noProxy = '' } = proxy;
  return new EnvHttpProxyAgent({
    ...shared,
    httpProxy,
    httpsProxy,
    noProxy,
    requestTls: shared.connect,
    proxyTls: shared.connect,
  }).compose(flagSent);
}

/**
 * Sets the mark directly before the first byte is sent: without the mark nothing was sent; with it the service may have received the
 * request. Error codes do not show this: ECONNRESET occurs before and after.
 */
const flagSent: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const { opaque } = options as { opaque?: SentFlag };
  return dispatch(options, {
    onRequestStart(controller, context) {
      if (opaque !== undefined) opaque.value = true;
      handler.onRequestStart?.(controller, context);
    },
    onResponseStart: (...head) => handler.onResponseStart?.(...head),
    onResponseData: (...data) => handler.onResponseData?.(...data),
    onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
    onResponseError: (...error) => handler.onResponseError?.(...error),
  });
};
