import { Command } from 'commander';
import { FindingReportBody } from '../api/present/finding-report-body.ts';
import { UUID } from '../lib/uuid.ts';
import { UsageError } from '../model/errors.ts';
import { askedBy } from './client/client-command.ts';
import { parseAnswer } from './client/parse-answer.ts';
import { reportLines } from './client/report-lines.ts';

/** `fraud report`: asks a running service for a finding as evidence of a report. */
export function fraudReportCommand(): Command {
  const command = new Command('report')
    .description('Show a fraud finding by the sections of a suspicious transaction report.')
    .argument('<finding>', 'ID of the finding')
    .addHelpText(
      'after',
      `
Fields of the reporting person are empty. This is evidence for a report, not the report.

Example:
  mintscope fraud report 5f3f1b1e-0c9e-5d0b-9f57-7f0a3f3f6a01 --json > report.json`,
    );
  return askedBy(command, {
    question: (finding = '') => {
      if (!UUID.test(finding))
        throw new UsageError(`"${finding}" is no ID of a finding: one is a UUID.`);
      return { path: `/v1/fraud/classifications/${finding}/report` };
    },
    parse: (text, host) => parseAnswer(text, FindingReportBody, host),
    linesOf: reportLines,
  });
}
