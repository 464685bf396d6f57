import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** A running service, for `npx vite web`: pages are then built as they are changed. */
const SERVICE = process.env.MINTSCOPE_DASHBOARD_SERVICE ?? 'http://localhost:8080';

/** Requests look like those of a page of the service, which checks their origin. */
const service = { target: SERVICE, changeOrigin: true, ws: true, headers: { origin: SERVICE } };

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  server: {
    proxy: { '/v1': service, '/docs': service, '/openapi.json': service, '/readyz': service },
  },
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    // Inlined files would need another policy than that of the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
