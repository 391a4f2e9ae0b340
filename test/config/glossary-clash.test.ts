import { expect, test } from 'vitest';
import { faultLine } from '../../src/config/fault.ts';
import { parseConfig } from '../../src/config/parse.ts';

function faults(first: string, second: string): string[] {
  const text = `version: 1
service: { url: "http://127.0.0.1:1", key: { env: KEY } }
projects:
  shop:
    source: en
    targets: [de]
    glossary: ${first}
    routes: [{ from: "shop/{locale}/*.json" }]
  web:
    source: en
    targets: [fr]
    glossary: ${second}
    routes: [{ from: "web/{locale}/*.json" }]
`;
  const parsed = parseConfig(text, { file: '/repo/dragoman.yaml', env: {} });
  return (parsed.faults ?? []).map((fault) => faultLine(fault, '/repo'));
}

test('projects may share a glossary, or have one each', () => {
  expect(faults('{ name: a, csv: t.csv }', '{ name: a, csv: t.csv }')).toEqual([]);
  expect(faults('{ name: a, csv: a.csv }', '{ name: b, csv: b.csv }')).toEqual([]);
});

test('one name for two files is refused with its place', () => {
  expect(faults('{ name: a, csv: t.csv }', '{ name: a, csv: u.csv }')).toEqual([
    expect.stringMatching(/^dragoman\.yaml:12:23 .*"a" is the glossary of project shop too/),
  ]);
});

test('one file under two names is refused, because the service would rename it again and again', () => {
  expect(faults('{ name: a, csv: t.csv }', '{ name: b, csv: t.csv }')).toEqual([
    expect.stringMatching(/^dragoman\.yaml:12:23 .*project shop reads t\.csv too, as "a"/),
  ]);
});
