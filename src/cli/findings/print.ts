/** Prints findings in the chosen format, with paths relative to the repository. */
import { sep } from 'node:path';
import { Option } from 'commander';
import { GitFailure, nameBelow, openRepository } from '../../files/git.ts';
import { VERSION } from '../../service/version.ts';
import type { CommandCall } from '../command.ts';
import { FINDINGS_FORMATS, type FindingsFormat, FORMAT_NAMES } from './formats.ts';
import type { FindingsReport } from './report.ts';

export interface FindingFormat {
  readonly format?: FindingsFormat;
}

export function formatOption(what = 'print findings for another program'): Option {
  return new Option('--format <form>', what).choices(FORMAT_NAMES).conflicts('json');
}

/**
 * @param report its findings have absolute paths, which become relative to the repository of `folder`; without a repository, to
 * `folder`
 */
export async function printFindings(
  { terminal }: Pick<CommandCall, 'terminal'>,
  format: FindingsFormat,
  { folder, ...report }: Omit<FindingsReport, 'version'> & { readonly folder: string },
): Promise<void> {
  const top = await topOf(folder);
  const findings = report.findings.map((finding) => ({
    ...finding,
    file: nameBelow(top, finding.file) ?? finding.file,
    message: finding.message.replaceAll(`${top}${sep}`, ''),
  }));
  terminal.out(FINDINGS_FORMATS[format]({ ...report, version: VERSION, findings }));
}

async function topOf(folder: string): Promise<string> {
  try {
    return (await openRepository(folder)).top;
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    return folder;
  }
}
