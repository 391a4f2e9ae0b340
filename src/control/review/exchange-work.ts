/** The work behind `parsers.ts`: writes exchange files for translators, and reads those that come back. */
import { JobFailure } from '../../failure.ts';
import { readBytes } from '../../files/disk.ts';
import { withoutAddedEscapes } from '../../formats/exchange/added-escapes.ts';
import { EXCHANGE_FORMATS, recognise } from '../../formats/exchange/all.ts';
import type {
  ExchangeDocument,
  ExchangeFormatName,
  Returned,
} from '../../formats/exchange/exchange.ts';
import type { ThreadWork } from '../../parsing/thread-call.ts';

/** An exchange file that came back. Its content is untrusted and may be large. */
export interface ReturnedFile {
  /** Absolute. */
  readonly file: string;
}

export interface ExchangeToWrite {
  readonly format: ExchangeFormatName;
  readonly document: ExchangeDocument;
}

export interface WrittenExchange {
  readonly bytes: Uint8Array;
  /** The file, with the texts that it contains. */
  readonly document: ExchangeDocument;
  /** The texts that this format cannot hold. */
  readonly left: readonly {
    readonly file: string;
    readonly key: string;
    readonly reason: string;
  }[];
}

/** Bytes. An XLIFF file with 100,000 texts has about 60 MB. */
const MOST_EXCHANGE_BYTES = 256 * 1024 * 1024;

export const read: ThreadWork<ReturnedFile, Returned> = async ({ file }) => {
  const { bytes } = await readBytes(file, MOST_EXCHANGE_BYTES);
  const format = recognise(bytes, file);
  if (format === undefined) {
    const names = Object.keys(EXCHANGE_FORMATS).join(', ');
    const what = `${file} is no file of translators that is known (${names})`;
    throw new JobFailure({
      kind: 'unsupported',
      what,
      advice: 'Import what "review export" wrote.',
    });
  }
  return () => withoutAddedEscapes(format.read(bytes, file));
};

export const write: ThreadWork<ExchangeToWrite, WrittenExchange> = async ({
  format: name,
  document,
}) => {
  const format = EXCHANGE_FORMATS[name];
  return () => {
    const left: WrittenExchange['left'][number][] = [];
    const files = document.files.map(({ units, ...file }) => ({
      ...file,
      units: units.filter((unit) => {
        const reason = format.lacks?.(unit);
        if (reason !== undefined) left.push({ file: file.path, key: unit.key, reason });
        return reason === undefined;
      }),
    }));
    const held = { ...document, files: files.filter(({ units }) => units.length > 0) };
    return { bytes: format.write(held), document: held, left };
  };
};
