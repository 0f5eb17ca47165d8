// Copies the files of src/ that tsc does not compile to dist/.
import { cpSync } from 'node:fs';

const isAsset = (path) => !path.endsWith('tsconfig.json');
cpSync('src/public-page/assets', 'dist/src/public-page/assets', { recursive: true, filter: isAsset });
