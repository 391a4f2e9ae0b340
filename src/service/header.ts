/** Which headers of a caller or a config can be added to every request. Pure. */

/** A token (RFC 9110, 5.6.2). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
/** One line of single-byte characters (RFC 9110, 5.5): undici refuses others. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers of the connection, the key or the body; undici refuses most of them. */
const OWN =
  /^(?:authorization|proxy-authorization|host|content-length|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer)$/i;

/** @returns the problem with a header, to complete the sentence "header NAME …"; undefined when it can be sent */
export function headerProblem(name: string, value: string): string | undefined {
  if (!HEADER_NAME.test(name)) return 'is no name of a header';
  if (OWN.test(name)) return 'is set by the client itself';
  return headerValueProblem(value);
}

export function headerValueProblem(value: string): string | undefined {
  return VALUE.test(value) ? undefined : 'must be one line of ASCII or Latin-1 characters';
}
