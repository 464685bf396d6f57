import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import openapiTypeScript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { answerFault } from '../support/api-fuzz/check-answer.ts';
import { type FuzzedApi, openFuzzedApi } from '../support/api-fuzz/open-fuzzed-api.ts';
import { type OpenApiDocument, operationsOf } from '../support/api-fuzz/operations.ts';
import {
  type CallAll,
  type ClientAnswer,
  clientSource,
  type DocumentedPaths,
} from '../support/client-source.ts';

const KEY = 'generated-client-test-secret';
const CACHE = resolve('node_modules/.cache');

type Document = OpenApiDocument & DocumentedPaths;

/** A folder in which modules of this project's packages are found; removed at the end. */
function codeFolder(): string {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'client-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return folder;
}

/** Compiles with the settings of this project, which are strict; returns the errors. */
function compile(folder: string, file: string): readonly string[] {
  const { config } = ts.readConfigFile(resolve('tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, resolve('.'));
  const emitting = { ...options, noEmit: false, rootDir: folder, outDir: folder };
  const program = ts.createProgram([join(folder, file)], {
    ...emitting,
    allowImportingTsExtensions: false,
    rewriteRelativeImportExtensions: true,
  });
  const { diagnostics } = program.emit();
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(
    ({ messageText, start, file }) => {
      const at = file === undefined ? '' : file.text.slice(start ?? 0, (start ?? 0) + 80);
      return `${ts.flattenDiagnosticMessageText(messageText, ' ')} at ${at}`;
    },
  );
}

/** A service on a simulated market that has trades, findings, signals and a token with posts. */
describe('the OpenAPI document of a running service', () => {
  const folder = codeFolder();
  let api: FuzzedApi;
  let baseUrl: string;
  let text: string;
  let document: Document;

  beforeAll(async () => {
    api = await openFuzzedApi(KEY);
    api.service.store.keys.installBootstrap(KEY);
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    baseUrl = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
    const windows = () => api.app.inject({ url: '/v1/pools', headers: { 'x-api-key': KEY } });
    while ((await windows()).statusCode === 503) await delay(20);
    text = await (await fetch(`${baseUrl}/openapi.json`)).text();
    document = JSON.parse(text);
  });

  afterAll(async () => {
    await api.close();
    rmSync(folder, { recursive: true });
  });

  test('has no finding of Spectral', async () => {
    const spectral = new spectralCore.Spectral();
    const rules = spectralRulesets.oas as spectralCore.RulesetDefinition;
    spectral.setRuleset({ extends: [[rules, 'recommended']] });
    const findings = await spectral.run(JSON.parse(text));
    expect(findings.map(({ code, path, message }) => [code, path.join('.'), message])).toEqual([]);
  });

  test('has no finding of Redocly', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const findings = await lintFromString({ source: text, config });
    expect(findings.map(({ ruleId, message }) => [ruleId, message])).toEqual([]);
  });

  describe('with a client whose types are generated from it', () => {
    let answers: readonly ClientAnswer[];

    beforeAll(async () => {
      writeFileSync(join(folder, 'types.ts'), astToString(await openapiTypeScript(text)));
      writeFileSync(join(folder, 'client.ts'), clientSource(document, './types.ts'));
      expect(compile(folder, 'client.ts')).toEqual([]);
      const { callAll } = (await import(join(folder, 'client.js'))) as { callAll: CallAll };
      answers = await callAll(baseUrl, KEY);
    });

    test('has every operation called, with the success that it documents', () => {
      const operations = operationsOf(document).filter(
        ({ answers }) => answers['101'] === undefined,
      );
      expect(answers.map(({ operation }) => operation).sort()).toEqual(
        operations.map(({ name }) => name).sort(),
      );
      const failed = answers.filter(({ operation, status }) => {
        const documented = operations.find(({ name }) => name === operation)?.answers ?? {};
        return !String(status).startsWith('2') || documented[String(status)] === undefined;
      });
      expect(failed).toEqual([]);
    });

    test('has every answer as its schema says', () => {
      const byName = new Map(operationsOf(document).map((one) => [one.name, one]));
      const faults = answers.flatMap(({ operation, status, type, text: body }) => {
        const documented = byName.get(operation);
        if (documented === undefined) return [`${operation} is not documented`];
        const headers = { 'content-type': type };
        const answer = { statusCode: status, headers, json: () => JSON.parse(body) };
        const types = Object.keys(documented.answers[String(status)]?.content ?? {});
        const isOfType = types.length === 0 || types.some((one) => type.startsWith(one));
        const fault = isOfType ? answerFault(documented, answer) : `has the type ${type}`;
        return fault === null ? [] : [`${operation}: ${fault}`];
      });
      expect(faults).toEqual([]);
    });

    test('does not compile a request that the document does not allow', () => {
      writeFileSync(
        join(folder, 'wrong.ts'),
        `import createClient from 'openapi-fetch';
import type { components, paths } from './types.ts';
const client = createClient<paths>({ baseUrl: '' });
export const wrong = client.GET('/v1/token/{token_address}', { params: { path: { mint: 'x' } } });
export const name = (trade: components['schemas']['Trade']): number => trade.trade_id;
`,
      );
      expect(compile(folder, 'wrong.ts')).toHaveLength(2);
    });
  });

  test('names WebSockets that open with the examples in it', async () => {
    const sockets = operationsOf(document).filter(({ answers }) => answers['101'] !== undefined);
    expect(sockets.length).toBeGreaterThan(3);
    for (const { path } of sockets) {
      const socket = new WebSocket(`${baseUrl}${path}`, { headers: { 'x-api-key': KEY } });
      await new Promise((opened, failed) => socket.once('open', opened).once('error', failed));
      socket.terminate();
    }
  });
});
