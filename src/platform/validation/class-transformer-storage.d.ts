/** Types of an internal file of class-transformer, which `@nestjs/mapped-types` also uses. */
declare module 'class-transformer/cjs/storage.js' {
  export { defaultMetadataStorage } from 'class-transformer/types/storage.js';
}
