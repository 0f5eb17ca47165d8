/** class-transformer declares the types of this file elsewhere; `@nestjs/mapped-types` reads the same storage. */
declare module 'class-transformer/cjs/storage.js' {
  export { defaultMetadataStorage } from 'class-transformer/types/storage.js';
}
