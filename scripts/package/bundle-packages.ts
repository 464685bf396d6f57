import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'vite';
import { BUNDLED_FOLDER, BUNDLED_PACKAGES } from './bundled-packages.ts';

/** Installed anyway, as a dependency of others: spans must be made by one copy of it. */
const NOT_BUNDLED = ['@opentelemetry/api'];

/** Writes the bundled packages into `folder` and lets the compiled modules there import them. */
export async function bundlePackages(root: string, folder: string): Promise<void> {
  const out = join(folder, BUNDLED_FOLDER);
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    ssr: { noExternal: true, external: NOT_BUNDLED },
    build: {
      ssr: true,
      outDir: out,
      emptyOutDir: true,
      target: 'node24',
      minify: true,
      rollupOptions: {
        input: Object.fromEntries(BUNDLED_PACKAGES.map((name) => [fileNameOf(name), name])),
        preserveEntrySignatures: 'strict',
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'shared-[hash].js' },
      },
    },
  });
  for (const path of globSync('src/**/*.js', { cwd: folder })) importFrom(out, join(folder, path));
}

function importFrom(out: string, path: string): void {
  const text = readFileSync(path, 'utf8');
  let renamed = text;
  for (const name of BUNDLED_PACKAGES) {
    const target = relative(dirname(path), join(out, `${fileNameOf(name)}.js`));
    renamed = renamed.replaceAll(
      new RegExp(`(\\bfrom |\\bimport\\()(['"])${name}\\2`, 'g'),
      (_, before: string, quote: string) => `${before}${quote}${target}${quote}`,
    );
  }
  if (renamed !== text) writeFileSync(path, renamed);
}

/** `@scalar/fastify-api-reference` → `scalar-fastify-api-reference` */
function fileNameOf(name: string): string {
  return name.replace(/^@/, '').replaceAll('/', '-');
}
