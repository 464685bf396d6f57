import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Clocks, random numbers of the machine, functions with processor-dependent rounding, and
 * languages.
 */
const FORBIDDEN =
  /Math\.(random|log|log2|log10|log1p|exp|expm1|pow|cbrt|hypot|sin|cos|tan|sinh|cosh|tanh|atan2?)\b|Date\.now|new Date\(\)|performance\.|setTimeout|setInterval|toLocale|localeCompare|Intl\./;

test('no module of the simulation uses the time of the machine, random numbers or rounding', () => {
  const folder = join(import.meta.dirname, '../../simulator');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('faces/'),
  );
  expect(sources.length).toBeGreaterThan(100);
  const breaches = sources.filter((path) =>
    FORBIDDEN.test(readFileSync(join(folder, path), 'utf8')),
  );
  expect(breaches).toEqual([]);
});
