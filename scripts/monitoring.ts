/**
 * Writes dashboards, alert rules with their tests, and the runbook from the descriptions beside the
 * metrics.
 *
 *   npm run monitoring
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { monitoringFiles } from './monitoring/files.ts';

for (const [path, text] of monitoringFiles()) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(path);
}
