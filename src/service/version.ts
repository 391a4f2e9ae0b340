/** The version in package.json, and the user agent with it. */
import { readFileSync } from 'node:fs';

const PACKAGE_FILE = new URL('../../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as { version: string };

export const VERSION = version;

/** Some servers of this API answer 400 to a request without it (RFC 9110, 10.1.5). */
export const USER_AGENT = `dragoman/${VERSION} (node/${process.versions.node})`;
