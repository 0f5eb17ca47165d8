// The parts of Swagger UI and React that docs.js uses.

interface React {
  createElement(type: unknown, props?: object | null, ...children: unknown[]): unknown;
  Fragment: unknown;
  useEffect(effect: () => void, dependencies: unknown[]): void;
  useState<State>(initial: State): [State, (next: State) => void];
}

/** A map of Immutable.js. */
interface Entries {
  filter(test: (value: unknown, name: string) => boolean): Entries;
  filterNot(test: (value: unknown, name: string) => boolean): Entries;
  keys(): Iterable<string>;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  example?: unknown;
  schema?: { example?: unknown };
}

interface Operation {
  parameters?: Parameter[];
  security?: object[];
  requestBody?: { content: Record<string, { example?: unknown }> };
}

/** Properties of the component that shows responses. */
interface ResponsesProps {
  path: string;
  method: string;
  responses: Entries;
  specSelectors: { specJson(): { getIn(path: string[]): { toJS(): Operation } | undefined } };
}

interface System {
  specActions: {
    updateJsonSpec(document: object): unknown;
    updateResolvedSubtree(path: string[], part: unknown): unknown;
  };
}

type WrapAction<Argument> = (action: unknown, system: System) => (argument: Argument) => unknown;

type Wrap<Props = object> = (component: unknown) => (props: Props) => unknown;

interface DocsPlugin {
  statePlugins: {
    spec: {
      wrapActions: { parseToJson: WrapAction<string>; requestResolvedSubtree: WrapAction<string[]> };
    };
  };
  wrapComponents: {
    headers: Wrap<{ headers: Entries }>;
    authorizationPopup: Wrap;
    DeepLink: Wrap<{ text: string }>;
    ServersContainer: Wrap;
    InfoContainer: Wrap;
    responses: Wrap<ResponsesProps>;
  };
}

declare function SwaggerUIBundle(options: {
  url: string;
  dom_id: string;
  deepLinking: boolean;
  docExpansion: 'none';
  defaultModelsExpandDepth: number;
  plugins: ((system: { React: React }) => DocsPlugin)[];
  onComplete: () => void;
}): {
  specSelectors: { taggedOperations(): Entries };
  layoutActions: { show(what: string[], isShown: boolean): void };
};
