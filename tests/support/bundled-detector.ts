import { build } from 'esbuild';
import type { DetectorPackage } from '../../src/detector-modules/package/detector-package.ts';
import type { Detector } from '../../src/fraud/contract/detector.ts';
import type { FraudType } from '../../src/model/fraud.ts';

const ROOT = new URL('../../', import.meta.url).pathname;

/**
 * The source of a built-in detector as a module: bundled by esbuild, as an author would, with nothing
 * added but the name of a package.
 */
export async function bundledDetector(
  { name: fraudType }: Detector<FraudType>,
  place: { readonly file: string; readonly exported: string },
): Promise<DetectorPackage> {
  const name = `mintscope-detector-${fraudType.replaceAll('_', '-')}`;
  const { outputFiles } = await build({
    stdin: {
      contents: `import { ${place.exported} } from './${place.file}';
export const detector = { ...${place.exported}, name: '${name}' };`,
      resolveDir: ROOT,
      loader: 'ts',
    },
    ...{ bundle: true, write: false, format: 'cjs', target: 'es2024', platform: 'neutral' },
    // Tables of encodings in shared files, which no detector reads, are made when these are loaded.
    banner: { js: 'const Buffer = { alloc: (length) => new Uint8Array(length) };' },
  });
  const text = outputFiles[0]?.text ?? '';
  return {
    ...{ name, packageVersion: '1.0.0', hash: '0'.repeat(64), main: 'index.js' },
    files: [{ path: 'index.js', text }],
  };
}
