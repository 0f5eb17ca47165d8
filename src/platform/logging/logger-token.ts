/** Injection token of the structured log: `@Inject(LOGGER) private readonly logger: Logger`. */
export const LOGGER = Symbol('Logger');
