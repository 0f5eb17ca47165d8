// Script of /docs. Shows the OpenAPI document with Swagger UI, with these changes: the introduction and the errors of each operation
// are folded, each operation shows its request in curl and TypeScript, and the colors follow the browser.

/** Common headers, which the introduction lists once. */
const COMMON = new Set(document.currentScript?.dataset['commonHeaders']?.split(' '));

const dark = matchMedia('(prefers-color-scheme: dark)');
const followColors = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followColors);
followColors();

/**
 * Returns the required parameters in a place, with the prefilled values.
 * @param {Operation} operation
 * @param {string} place
 * @returns {Record<string, unknown>}
 */
function valuesIn({ parameters = [] }, place) {
  const required = parameters.filter((one) => one.in === place && one.required === true);
  return Object.fromEntries(required.map(({ name, example, schema }) => [name, example ?? schema?.example]));
}

/**
 * Returns the prefilled request as a command.
 * @param {string} template
 * @param {string} method
 * @param {Operation} operation
 */
function curlOf(template, method, operation) {
  const query = new URLSearchParams(
    Object.entries(valuesIn(operation, 'query')).map(([k, v]) => [k, `${v}`]),
  );
  const ids = valuesIn(operation, 'path');
  const path = template.replace(/\{(\w+)\}/g, (_, name) => `${ids[name]}`);
  const [type, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const isJson = body?.example !== undefined && typeof body.example !== 'string';
  const data = isJson ? JSON.stringify(body.example, null, 2).replaceAll("'", String.raw`'\''`) : undefined;
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"${location.origin}${path}${query.size > 0 ? `?${query}` : ''}"`,
    ...(operation.security?.length ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...(type === undefined
      ? []
      : [`-H "Content-Type: ${type}"`, isJson ? `-d '${data}'` : '--data-binary @file']),
  ].join(' \\\n  ');
}

/**
 * Returns the prefilled request with the client for TypeScript; undefined for a file.
 * @param {string} template
 * @param {string} method
 * @param {Operation} operation
 */
function typescriptOf(template, method, operation) {
  const [body] = Object.values(operation.requestBody?.content ?? {});
  if (body && (body.example === undefined || typeof body.example === 'string')) return undefined;
  const params = Object.fromEntries(
    ['path', 'query']
      .map((place) => /** @type {const} */ ([place, valuesIn(operation, place)]))
      .filter(([, values]) => Object.keys(values).length > 0),
  );
  const options = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(body && { body: body.example }),
  };
  const literal = JSON.stringify(options, null, 2).replace(/^( *)"(\w+)":/gm, '$1$2:');
  const rest = Object.keys(options).length > 0 ? `, ${literal}` : '';
  return `import { createClient } from '@status-pages/client';

const client = createClient({ baseUrl: '${location.origin}', apiKey });
const { data, error } = await client.http.${method.toUpperCase()}('${template}'${rest});`;
}

/** @type {object} The OpenAPI document. */
let whole = {};

/**
 * Returns a part of the document.
 * @param {string[]} path
 * @returns {unknown}
 */
const valueAt = (path) => path.reduce((part, key) => new Map(Object.entries(part ?? {})).get(key), whole);

/**
 * Returns a part of the document with its references replaced by what they name.
 * @param {unknown} part
 * @param {readonly string[]} within references around it, which it must not follow again
 * @returns {unknown}
 */
function resolved(part, within = []) {
  if (Array.isArray(part)) return part.map((one) => resolved(one, within));
  if (typeof part !== 'object' || part === null) return part;
  if (!('$ref' in part) || typeof part.$ref !== 'string')
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolved(value, within)]));
  const { $ref: name, ...own } = part;
  const named = within.includes(name) ? {} : resolved(valueAt(name.split('/').slice(1)), [...within, name]);
  return Object.assign({}, named, own);
}

/**
 * @param {{ React: React }} system
 * @returns {DocsPlugin}
 */
function plugin({ React: { createElement: h, Fragment, useEffect, useState } }) {
  /**
   * A part that is rendered when it is open.
   * @param {{ name: string, title: string, render: () => unknown }} props
   */
  const Folded = ({ name, title, render }) => {
    const [isOpen, setOpen] = useState(false);
    /** @param {{ currentTarget: HTMLDetailsElement }} event */
    const onToggle = ({ currentTarget }) => setOpen(currentTarget.open);
    return h('details', { className: name, onToggle }, h('summary', null, title), isOpen && render());
  };

  /** @param {{ path: string, method: string, operation: Operation }} props */
  const Samples = ({ path, method, operation }) => {
    const [language, setLanguage] = useState('curl');
    const texts = {
      curl: curlOf(path, method, operation),
      TypeScript: typescriptOf(path, method, operation),
    };
    const shown = Object.entries(texts).filter(([, text]) => text !== undefined);
    const [, text] = shown.find(([name]) => name === language) ?? shown[0] ?? [];
    const buttons = shown.map(([name]) =>
      h(
        'button',
        { key: name, type: 'button', 'aria-pressed': name === language, onClick: () => setLanguage(name) },
        name,
      ),
    );
    return h(
      'div',
      { className: 'samples' },
      h('div', { className: 'languages' }, buttons),
      h('pre', { tabIndex: 0, 'aria-label': 'Request' }, text),
    );
  };

  return {
    statePlugins: {
      spec: {
        wrapActions: {
          // Swagger UI would read the document as YAML, and resolve all of it for each operation, which takes seconds.
          parseToJson:
            (_, { specActions }) =>
            (text) => {
              whole = JSON.parse(text);
              return specActions.updateJsonSpec(whole);
            },
          requestResolvedSubtree:
            (_, { specActions }) =>
            (path) =>
              specActions.updateResolvedSubtree(path, resolved(valueAt(path))),
        },
      },
    },
    wrapComponents: {
      headers: (Headers) => (props) =>
        h(Headers, { ...props, headers: props.headers.filter((_, name) => !COMMON.has(name)) }),
      // Swagger UI focuses the last field, which is for receivers.
      authorizationPopup: (Popup) => (props) => {
        useEffect(() => {
          const field = document.querySelector('.auth-container input');
          if (field instanceof HTMLElement) field.focus();
        }, []);
        return h(Popup, props);
      },
      // A link in the button of an operation is no second control.
      DeepLink: () => (props) => h('span', null, props.text),
      // There is one server.
      ServersContainer: () => () => null,
      InfoContainer: (Info) => (props) => {
        const title = 'Authentication, responses, errors and headers';
        const about = h(Folded, { name: 'about', title, render: () => h(Info, props) });
        const heading = h('h2', { className: 'unseen' }, 'Operations');
        return h(Fragment, null, about, h('section', { 'aria-label': 'Operations' }, heading));
      },
      responses: (Responses) => (props) => {
        const { path, method, responses, specSelectors } = props;
        /** @type {(response: unknown, code: string) => boolean} */
        const isError = (_, code) => /^[45]/.test(code);
        const errors = responses.filter(isError);
        const codes = [...errors.keys()].join(', ');
        const operation = specSelectors.specJson().getIn(['paths', path, method])?.toJS();
        // Another path, because it is part of the table's ID.
        const folded = { ...props, path: `${path}#errors`, responses: errors, tryItOutResponse: undefined };
        const render = () => h(Responses, folded);
        return h(
          Fragment,
          null,
          operation && h(Samples, { path, method, operation }),
          h(Responses, { ...props, responses: responses.filterNot(isError) }),
          codes !== '' && h(Folded, { name: 'errors', title: `Errors: ${codes}`, render }),
        );
      },
    },
  };
}

/** Names the fields and tables that Swagger UI does not name, and makes code that scrolls reachable by keyboard. */
function completeFields() {
  for (const field of document.querySelectorAll('#swagger-ui :is(select, textarea):not([aria-label])')) {
    const parameter = field.closest('tr')?.querySelector('.parameter__name')?.firstChild?.textContent;
    const isExample = field.classList.contains('examples-select-element');
    field.setAttribute('aria-label', isExample ? 'Example' : (parameter ?? 'Request body'));
  }
  for (const table of document.querySelectorAll('.responses-table:not([aria-label])')) {
    const isLive = table.classList.contains('live-responses-table');
    table.setAttribute('aria-label', isLive ? 'Response' : table.closest('.errors') ? 'Errors' : 'Responses');
  }
  for (const code of document.querySelectorAll('#swagger-ui pre:not([tabindex])'))
    code.setAttribute('tabindex', '0');
}
new MutationObserver(completeFields).observe(document.body, { childList: true, subtree: true });

// Expanding all sections would take most of the time until the first operation appears.
const ui = SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  plugins: [plugin],
  onComplete: () => {
    const [first = ''] = ui.specSelectors.taggedOperations().keys();
    ui.layoutActions.show(['operations-tag', first], true);
  },
});
