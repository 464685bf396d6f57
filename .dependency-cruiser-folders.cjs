// Rules between folders. Tests are left out: what they use for support uses the product in turn, which
// would tie every folder to every other.
module.exports = {
  forbidden: [
    {
      name: 'no-cycles-between-folders',
      comment: 'Neither at the top nor below: what two folders share lies in a third.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'no-cycles-between-simulator-folders',
      severity: 'error',
      scope: 'folder',
      from: { path: '^simulator/' },
      to: { circular: true },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.(test|bench)\\.ts$|^(tests|bench|scripts)/' },
  },
};
