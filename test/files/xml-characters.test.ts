import { expect, test } from 'vitest';
import { decodeXml, encodeXml } from '../../src/files/xml-characters.ts';

test('references that XML defines are read, all others stay as they are', () => {
  expect(decodeXml('&amp;&lt;&#65;&#x42;&apos;')).toBe("&<AB'");
  for (const other of ['&app;', '&constructor;', '&toString;', '&#99999999;']) {
    expect(decodeXml(other)).toBe(other);
  }
  expect(decodeXml(encodeXml('a < b & c > d'))).toBe('a < b & c > d');
});
