/** The forms in which other programs take findings: one file for each, each a pure function of the same report. */

import { workflowCommands } from './github.ts';
import { codeQualityReport } from './gitlab.ts';
import { junitReport } from './junit.ts';
import type { FindingsReport } from './report.ts';
import { sarifLog } from './sarif.ts';

export const FORMATS: Readonly<Record<FindingsFormat, (report: FindingsReport) => string>> = {
  github: workflowCommands,
  sarif: sarifLog,
  gitlab: codeQualityReport,
  junit: junitReport,
};

export type FindingsFormat = 'github' | 'sarif' | 'gitlab' | 'junit';

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FindingsFormat[];
