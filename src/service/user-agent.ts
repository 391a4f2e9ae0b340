/** What the client calls itself. Some servers of this API answer 400 to a request without the header (RFC 9110, 10.1.5). */
import { readFileSync } from 'node:fs';

const PACKAGE = new URL('../../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string };

export const USER_AGENT = `dragoman/${version} (node/${process.versions.node})`;
