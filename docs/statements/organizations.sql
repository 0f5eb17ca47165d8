-- Statements of the API's operations. Written by: npx vitest run test/architecture/statements -u

SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE;
