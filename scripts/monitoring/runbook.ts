import type { Alert, MonitoredPart } from '../../src/model/monitoring.ts';

const BEGIN = '<!-- Alerts: made by npm run monitoring -->';
const END = '<!-- End of the alerts -->';

/** Replaces the entries of the alerts in docs/operations.md. */
export function withRunbook(document: string, parts: readonly MonitoredPart[]): string {
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error('docs/operations.md has no marks for the alerts');
  const entries = parts.flatMap(({ alerts }) => alerts.map(entryOf)).join('\n\n');
  return `${document.slice(0, begin)}${BEGIN}\n\n${entries}\n\n${document.slice(end)}`;
}

function entryOf({ name, expression, holds, severity, summary, actions }: Alert): string {
  const since = holds === '0m' ? '' : ` for ${holds}`;
  const steps = actions.map((action) => `- ${action}`).join('\n');
  return `### ${name}\n${summary} *${severity}*, \`${expression}\`${since}.\n\n${steps}`;
}
