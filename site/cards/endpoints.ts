import { blocks, code, fenced, table } from '../markdown/compose.ts';
import { slugOf } from '../markdown/heading-ids.ts';
import { markdownUrl, type SitePage } from '../site-page.ts';
import { type Body, type OpenApi, type Operation, referredName, schemasIn } from './open-api.ts';
import { constraintText, fieldsTable, typeText } from './schema-text.ts';

/** An operation, its method in capitals and its path. */
interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** A page for each tag of the OpenAPI document, and one that lists all endpoints. */
export function endpointPages(document: OpenApi): readonly SitePage[] {
  const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
  const pages = document.tags.map(({ name, description }) => {
    const ofTag = endpoints.filter(({ operation }) => operation.tags.includes(name));
    return tagPage(document, name, description, ofTag);
  });
  return [indexPage(document, endpoints), ...pages];
}

function pathOf(tag: string): string {
  return `endpoints/${tag}`;
}

function indexPage({ info, tags }: OpenApi, endpoints: readonly Endpoint[]): SitePage {
  const title = 'Endpoints';
  const summary = 'All endpoints of the API, by subject.';
  const lists = tags.map(({ name, description }) => {
    const rows = endpoints
      .filter(({ operation }) => operation.tags.includes(name))
      .map((endpoint) => [
        `[${code(nameOf(endpoint))}](${markdownUrl(pathOf(name))}#${slugOf(nameOf(endpoint))})`,
        endpoint.operation.summary,
      ]);
    return `## ${name}\n\n${description}.\n\n${table(['Endpoint', 'What it does'], rows)}`;
  });
  const markdown = blocks(
    `# ${title}`,
    summary,
    `Version ${info.version}. The same as a machine reads it is at [\`/openapi.json\`](/openapi.json); [the interactive reference](/docs/api/) sends requests. What may change between versions is promised in [stability of the API](${markdownUrl('api-stability')}).`,
    ...lists,
  );
  return { path: 'endpoints', group: 'API', title, summary, markdown };
}

function nameOf({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}

function tagPage(
  document: OpenApi,
  tag: string,
  description: string,
  endpoints: readonly Endpoint[],
): SitePage {
  const title = `Endpoints: ${tag}`;
  const objects = objectsOf(document, endpoints);
  const markdown = blocks(
    `# ${title}`,
    `${description}.`,
    ...endpoints.map(section),
    ...(objects.length === 0 ? [] : ['## Objects', ...objects]),
  );
  return { path: pathOf(tag), group: 'API', title, summary: `${description}.`, markdown };
}

function section(endpoint: Endpoint): string {
  const { summary, description = '', parameters = [], deprecated, security } = endpoint.operation;
  const rows = parameters.map(({ name, in: where, required = false, schema, ...rest }) => [
    code(name),
    `${typeText(schema)}, in the ${where}${required ? ', required' : ''}`,
    constraintText({ ...schema, ...(rest.description && { description: rest.description }) }),
  ]);
  return blocks(
    `## ${nameOf(endpoint)}`,
    `**${summary}.** ${description}`,
    deprecated === true ? '**Deprecated.**' : '',
    security?.length === 0 ? 'Needs no key.' : '',
    rows.length === 0 ? '' : table(['Parameter', 'Type', 'What it is'], rows),
    bodyText('Body', endpoint.operation.requestBody),
    ...answers(endpoint.operation),
  ).trimEnd();
}

function answers({ responses }: Operation): readonly string[] {
  const entries = Object.entries(responses);
  const good = entries.filter(([status]) => /^[123]/.test(status));
  const errors = entries.filter(([status]) => /^[45]/.test(status));
  return [
    ...good.map(([status, response]) =>
      bodyText(`Answer ${status}`, response, response.description),
    ),
    errors.length === 0
      ? ''
      : table(
          ['Error', 'When'],
          errors.map(([status, { description }]) => [status, description]),
        ),
  ];
}

/** What a body is made of, and an example; empty without a body. */
function bodyText(name: string, body: Body | undefined, description = ''): string {
  if (body === undefined) return '';
  const [[mediaType = '', content] = []] = Object.entries(body.content ?? {});
  const type = content === undefined ? '' : `: ${typeText(content.schema)}`;
  const media = mediaType === '' || mediaType === 'application/json' ? '' : ` (${code(mediaType)})`;
  return blocks(
    `${name}${media}${type}. ${description}`.trim(),
    content === undefined || referredName(content.schema) !== null
      ? ''
      : fieldsTable(content.schema),
    content?.example === undefined || mediaType !== 'application/json'
      ? ''
      : fenced('json', JSON.stringify(content.example, null, 2)),
  ).trimEnd();
}

/** Sections of the named objects that endpoints take or return, directly or within others. */
function objectsOf({ components }: OpenApi, endpoints: readonly Endpoint[]): readonly string[] {
  const bodies = endpoints.flatMap(({ operation }) => [
    ...Object.values(operation.requestBody?.content ?? {}),
    ...Object.entries(operation.responses)
      .filter(([status]) => /^[123]/.test(status))
      .flatMap(([, { content = {} }]) => Object.values(content)),
  ]);
  const found = bodies.flatMap(({ schema }) => schemasIn(schema));
  const names = new Set<string>();
  // Grows while it is walked.
  for (const schema of found) {
    const name = referredName(schema);
    if (name === null || names.has(name)) continue;
    names.add(name);
    found.push(...schemasIn(components.schemas[name] ?? {}));
  }
  return [...names].toSorted().map((name) => {
    const schema = components.schemas[name] ?? {};
    const fields = fieldsTable(schema);
    return blocks(
      `### ${name}`,
      schema.description ?? '',
      fields === '' ? `${typeText(schema)}. ${constraintText(schema)}`.trim() : fields,
    ).trimEnd();
  });
}
