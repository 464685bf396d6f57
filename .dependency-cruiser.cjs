// The import rules of ARCHITECTURE.md: a folder may import model, lib and what is listed beside it;
// decoders never import each other; only what composes the process imports everything.
const tests = '\\.(test|bench)\\.tsx?$';
/** Folders, and which others each may import beside `model` and `lib`. */
const folders = {
  chain: [],
  decoders: [],
  fold: [],
  fraud: ['fold'],
  signals: ['fold'],
  alerts: ['fold'],
  rules: ['fraud', 'signals/features'],
  'detector-modules': ['fraud'],
  backtest: ['signals', 'rules'],
  market: [],
  offchain: [],
  social: [],
  store: [],
  tracing: [],
  api: [],
  relay: ['api'],
};
const everything = '^(src|simulator|web|site|clients|tests|bench|scripts)/';
/** What the log of several machines may import of chain and store: contracts and encodings. */
const clusterKnows = '^src/(cluster|model|lib)/|^src/chain/[^/]+\\.ts$|^src/store/codecs/';
const knowsOnly = ([folder, others]) => ({
  name: `${folder}-knows-only-${['model', 'lib', ...others].join('-and-')}`,
  severity: 'error',
  from: {
    path: `^src/${folder}/`,
    pathNot: `^src/chain/threads/|${tests}`,
  },
  to: { path: everything, pathNot: `^src/(${[folder, 'model', 'lib', ...others].join('|')})/` },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'lib-knows-nothing',
      severity: 'error',
      from: { path: '^src/lib/', pathNot: tests },
      to: { path: '^(src|simulator|web|site|clients|tests|bench)/', pathNot: '^src/lib/' },
    },
    {
      name: 'model-knows-only-lib',
      severity: 'error',
      from: { path: '^src/model/', pathNot: tests },
      to: { path: '^(src|simulator|web|site|clients|tests|bench)/', pathNot: '^src/(model|lib)/' },
    },
    {
      name: 'model-does-no-io',
      severity: 'error',
      from: { path: '^src/model/', pathNot: tests },
      to: { dependencyTypes: ['npm', 'core'] },
    },
    ...Object.entries(folders).map(knowsOnly),
    {
      name: 'engine-knows-no-source-store-or-server',
      severity: 'error',
      from: { path: '^src/engine/' },
      to: { path: '^src/(chain|store|api|alerts|social|offchain)/' },
    },
    {
      name: 'fold-is-pure',
      comment: 'Between source and store there is no clock, no randomness and no I/O.',
      severity: 'error',
      from: {
        path: '^src/(decoders|fold|fraud|signals|rules|backtest|alerts/triggers|engine)/',
        pathNot: tests,
      },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|assert)$' },
    },
    {
      name: 'the-realm-of-a-module-has-no-imports',
      severity: 'error',
      from: { path: '^src/detector-modules/sandbox/realm/' },
      to: { path: '.', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'decoders-do-not-know-each-other',
      severity: 'error',
      from: { path: '^src/decoders/programs/[^/]+\\.ts$', pathNot: tests },
      to: { path: '^src/decoders/(programs/|registry\\.ts|layouts\\.ts)' },
    },
    {
      name: 'routes-read-through-deps',
      severity: 'error',
      from: { path: '^src/api/routes/' },
      to: { path: '^src/(store|engine|fold|fraud)/' },
    },
    {
      name: 'routes-never-import-routes',
      comment: 'What several routes share lies in api/requests, api/schemas or api/present.',
      severity: 'error',
      from: { path: '^src/api/routes/', pathNot: tests },
      to: { path: '^src/api/routes/' },
    },
    {
      name: 'nobody-imports-the-composition',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: `^src/(main\\.ts|(service|commands|ingestion|chain/threads|bridge|gathering)/)|${tests}`,
      },
      to: {
        path: '^src/(main\\.ts|(service|commands|ingestion|chain/threads|bridge|gathering)/)',
      },
    },
    {
      name: 'decode-threads-only-read-decode-and-encode',
      comment: 'A decode thread has no state, no store and no settings (docs/decisions/0008).',
      severity: 'error',
      from: { path: '^src/chain/threads/', pathNot: tests },
      to: { path: everything, pathNot: '^src/(chain|decoders|model|lib)/|^src/store/codecs/' },
    },
    {
      name: 'what-is-served-knows-no-server',
      comment: 'The fold calls its listeners (ingestion/fold-listener) and imports no server.',
      severity: 'error',
      from: { path: '^src/(ingestion|service)/' },
      to: { path: '^src/bridge/' },
    },
    {
      name: 'the-api-thread-loads-no-engine',
      comment: 'No thread but the first may load chDB (docs/decisions/0012).',
      severity: 'error',
      from: {
        path: '^src/bridge/',
        pathNot: `^src/bridge/(answer-call|answers|api-thread|attach-api|list-answers|past-reads|publisher|slot-feed|slot-items|stored-reads|watched-rows)\\.ts$|${tests}`,
      },
      to: {
        path: '^src/(service|store/(?!open-keys|offchain/)|ingestion|engine|commands)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'tracing-is-loaded-when-asked-for',
      comment: 'Without an endpoint no package of OpenTelemetry is loaded (docs/decisions/0068).',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/tracing/|${tests}` },
      to: { path: '^src/tracing/', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'cluster-knows-contracts-and-encodings',
      comment: 'The log of several machines carries steps; it applies none (docs/decisions/0090).',
      severity: 'error',
      from: { path: '^src/cluster/', pathNot: tests },
      to: { path: everything, pathNot: clusterKnows },
    },
    {
      name: 'only-what-composes-knows-the-cluster',
      comment: 'Neither the fold nor the API knows that there are other machines.',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(cluster|commands|service)/|${tests}` },
      to: { path: '^src/cluster/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'gathering-knows-no-fold',
      comment: 'Off-chain facts never touch the fold, and no thread but the first loads chDB.',
      severity: 'error',
      from: { path: '^src/gathering/', pathNot: tests },
      to: {
        path: everything,
        pathNot:
          '^src/(gathering|offchain|social|alerts/webhooks|store/offchain|model|lib)/|^src/store/data-folder\\.ts$|^src/api/logger\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'simulator-knows-only-model-and-lib',
      comment: 'The judge of the decoders and the engine must not share their code.',
      severity: 'error',
      from: { path: '^simulator/', pathNot: tests },
      to: {
        path: '^(src|web|site|clients|tests|bench|scripts)/',
        pathNot: '^src/(model|lib)/|^src/chain/source\\.ts$',
      },
    },
    {
      name: 'simulator-draws-from-its-seed',
      comment: 'Same seed, same bytes: no clock, no I/O. Faces (files, node) do the I/O.',
      severity: 'error',
      from: { path: '^simulator/', pathNot: `^simulator/faces/|${tests}` },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|assert)$' },
    },
    {
      name: 'simulator-folders-never-import-its-root',
      comment: 'What lies in simulator/ itself composes the folders and is above all of them.',
      severity: 'error',
      from: { path: '^simulator/[^/]+/', pathNot: tests },
      to: { path: '^simulator/[^/]+\\.ts$' },
    },
    {
      name: 'only-commands-know-the-simulator',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(commands/|main\\.ts)|${tests}` },
      to: { path: '^simulator/' },
    },
    {
      name: 'web-knows-no-other-folder',
      comment: 'The dashboard is a client of the public API (docs/decisions/0063).',
      severity: 'error',
      from: { path: '^web/src/', pathNot: tests },
      to: { path: '^(src|simulator|site|clients|tests|bench|scripts)/' },
    },
    {
      name: 'pages-share-only-the-foundation',
      comment: 'A page imports its own folder and what all pages share.',
      severity: 'error',
      from: { path: '^web/src/pages/([^/]+)/', pathNot: tests },
      to: { path: '^web/src/', pathNot: '^web/src/(pages/$1|api|state|format|ui|charts)/' },
    },
    {
      name: 'foundation-knows-no-page',
      severity: 'error',
      from: { path: '^web/src/(api|state|format|ui|charts)/', pathNot: tests },
      to: { path: '^web/src/(pages/|app\\.tsx|main\\.tsx)' },
    },
    {
      name: 'nobody-imports-the-dashboard',
      severity: 'error',
      from: { path: '^(src|simulator|bench)/' },
      to: { path: '^web/' },
    },
    {
      name: 'nobody-imports-the-documentation-site',
      comment: 'It is made from the registries (docs/decisions/0071).',
      severity: 'error',
      from: { path: '^(src|simulator|bench|web)/', pathNot: tests },
      to: { path: '^site/' },
    },
    {
      name: 'the-site-reads-registries-only',
      comment:
        'Cards come from registries, names and schemas; nothing that runs is needed for them.',
      severity: 'error',
      from: { path: '^site/', pathNot: tests },
      to: {
        path: '^(src|simulator|web|clients|tests|bench|scripts)/',
        pathNot: '^src/(model|config|decoders|fraud|signals|rules/features|api/present)/',
      },
    },
    {
      name: 'browser-part-of-the-site-knows-only-itself',
      severity: 'error',
      from: { path: '^site/browser/', pathNot: tests },
      to: { path: everything, pathNot: '^site/browser/' },
    },
    {
      name: 'a-client-knows-only-the-api',
      comment: 'A package of its own, without a dependency (docs/decisions/0083).',
      severity: 'error',
      from: { path: '^clients/([^/]+)/', pathNot: tests },
      to: { path: everything, pathNot: '^clients/$1/(src|generated)/' },
    },
    {
      name: 'a-client-has-no-packages',
      severity: 'error',
      from: { path: '^clients/[^/]+/src/', pathNot: tests },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev'] },
    },
    {
      name: 'nobody-imports-a-client',
      severity: 'error',
      from: { path: '^(src|simulator|web|site|scripts)/', pathNot: tests },
      to: { path: '^clients/' },
    },
    {
      name: 'no-tests-in-product',
      severity: 'error',
      from: { path: '^(src|simulator|web|site|clients)/', pathNot: tests },
      to: { path: tests },
    },
    {
      name: 'no-development-packages-in-product',
      severity: 'error',
      from: { path: '^(src|simulator)/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'], pathNot: '@types/' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
};
