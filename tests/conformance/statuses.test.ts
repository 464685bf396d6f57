import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/api/server/routes.ts';
import {
  type OpenApiDocument,
  type Operation,
  operationsOf,
} from '../support/api-fuzz/operations.ts';
import { fakeApiServer } from '../support/fake-api-server.ts';
import { COMMON_RECIPES, NOT_OF_THE_SERVICE } from '../support/status-recipes/common-recipes.ts';
import { OWN_RECIPES } from '../support/status-recipes/own-recipes.ts';
import { soundRequest } from '../support/status-recipes/sound-requests.ts';
import { StatusStage } from '../support/status-recipes/status-stage.ts';

const stage = new StatusStage();
beforeAll(() => stage.listen());
afterAll(() => stage.close());

async function documented(): Promise<readonly Operation[]> {
  const server = fakeApiServer();
  await server.ready();
  const document = server.swagger() as unknown as OpenApiDocument;
  await server.close();
  return operationsOf(document);
}

const operations = await documented();
const cases = operations.flatMap((operation) =>
  Object.keys(operation.answers)
    .filter(
      (status) => !NOT_OF_THE_SERVICE.some(([other, , is]) => other === status && is(operation)),
    )
    .map((status) => ({ name: operation.name, status, operation })),
);

describe('every status that the OpenAPI document names', () => {
  test('has a recipe, and every recipe has a status', () => {
    const named = new Set(cases.map(({ name, status }) => `${name} ${status}`));
    const own = Object.entries(OWN_RECIPES).flatMap(([name, statuses]) =>
      Object.keys(statuses).map((status) => `${name} ${status}`),
    );
    expect(own.filter((one) => !named.has(one))).toEqual([]);
    const without = cases.filter(
      ({ name, status }) => (OWN_RECIPES[name]?.[status] ?? COMMON_RECIPES[status]) === undefined,
    );
    expect(without.map(({ name, status }) => `${name} ${status}`)).toEqual([]);
    expect(operations.length).toBeGreaterThanOrEqual(ROUTES.length);
  });

  test.each(cases)('is given: $name $status', async ({ name, status, operation }) => {
    const recipe = OWN_RECIPES[name]?.[status] ?? COMMON_RECIPES[status];
    if (recipe === undefined) throw new Error(`${name} has no recipe for ${status}`);
    const answer = await stage.answer(await recipe(soundRequest(operation), operation, stage));
    expect(`${answer.status} ${answer.body.slice(0, 300)}`).toMatch(new RegExp(`^${status} `));
    expect(answer.headers['x-request-id']).toMatch(/./);
    if (answer.status < 400) return;
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    const body = JSON.parse(answer.body) as Record<string, unknown>;
    const { s, errmsg, ...common } = body;
    expect(common).toEqual({ code: answer.status, message: expect.stringMatching(/^[^\n]{5,}$/) });
    // Charts read these, and nobody else gets them.
    const isOfCharts = name.includes(' /udf/');
    expect([s, errmsg]).toEqual(isOfCharts ? ['error', body.message] : [undefined, undefined]);
  });
});
