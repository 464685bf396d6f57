const OPEN_METRICS = 'application/openmetrics-text';
const PLAIN = 'text/plain';

/**
 * Whether an Accept header names the OpenMetrics format, at least as much as the plain one. Wildcards
 * do not count: a browser is shown the plain page.
 */
export function prefersOpenMetrics(accept: string | undefined): boolean {
  const weight = weightOf(OPEN_METRICS, accept);
  return weight > 0 && weight >= weightOf(PLAIN, accept);
}

/** The highest weight that the header gives a media type, 0 to 1; 0 if it does not name it. */
function weightOf(mediaType: string, accept = ''): number {
  let highest = 0;
  for (const part of accept.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    if (name !== mediaType) continue;
    const weight = parameters.find((text) => text.startsWith('q='))?.slice('q='.length) ?? '1';
    highest = Math.max(highest, /^[01](\.\d{0,3})?$/.test(weight) ? Number(weight) : 0);
  }
  return highest;
}
