import type { DetectorPackage } from '../../src/detector-modules/package/detector-package.ts';

export const TEST_DETECTOR = 'mintscope-detector-test';

/** A package of these files. */
export function packageOf(files: Readonly<Record<string, string>>): DetectorPackage {
  return {
    ...{ name: TEST_DETECTOR, packageVersion: '1.0.0', hash: 'a'.repeat(64), main: 'index.js' },
    files: Object.entries(files).map(([path, text]) => ({ path, text })),
  };
}

/** The code of a detector whose function `inspect` has this body, with the parameter `reading`. */
export function codeThat(body: string, name = TEST_DETECTOR): string {
  return `exports.detector = {
  contractVersion: 1, name: '${name}', version: 1, severity: 5,
  card: { pattern: 'p', lookAlikes: ['l'], thresholds: { one: { value: 1, reason: 'why' } } },
  inspect(reading) { ${body} },
};`;
}

export function packageThat(body: string): DetectorPackage {
  return packageOf({ 'index.js': codeThat(body) });
}
