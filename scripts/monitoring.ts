/**
 * Writes dashboards, alert rules with their tests, and the runbook from the descriptions beside the
 * metrics.
 *
 *   npm run monitoring
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { answerHelp } from './answer-help.ts';
import { monitoringFiles } from './monitoring/files.ts';

answerHelp(`Writes dashboards, alert rules with their tests, and the runbook from their descriptions.

Example:
  npm run monitoring`);

for (const [path, text] of monitoringFiles()) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(path);
}
