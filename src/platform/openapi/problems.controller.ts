import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Public } from '../auth/access.decorators.js';
import { isProblemCode, PROBLEMS } from '../problems/catalogue.js';
import { Problem } from '../problems/problem.js';

/** An error code of the catalogue. */
interface ProblemDocument {
  code: string;
  status: number;
  title: string;
  explanation: string;
}

const ENTRY = {
  type: 'object',
  required: ['code', 'status', 'title', 'explanation'],
  properties: {
    code: { type: 'string', enum: Object.keys(PROBLEMS) },
    status: { type: 'integer', format: 'int32', minimum: 400, maximum: 599 },
    title: { type: 'string', maxLength: 100 },
    explanation: { type: 'string', maxLength: 1_000 },
  },
};

/** Serves the catalogue of errors. The `type` of each error is a path of this controller. */
@ApiTags('Errors')
@Controller('problems')
export class ProblemsController {
  @Get()
  @Public()
  @ApiOperation({ operationId: 'listProblems', summary: 'List all error codes' })
  @ApiOkResponse({
    description: 'All error codes.',
    schema: {
      type: 'object',
      required: ['data'],
      properties: { data: { type: 'array', items: ENTRY, maxItems: 100 } },
    },
  })
  list(): { data: ProblemDocument[] } {
    return { data: Object.entries(PROBLEMS).map(([code, entry]) => ({ code, ...entry })) };
  }

  @Get(':code')
  @Public()
  @ApiOperation({ operationId: 'getProblem', summary: 'Explain an error code' })
  @ApiParam({ name: 'code', schema: { type: 'string', enum: Object.keys(PROBLEMS), example: 'not_found' } })
  @ApiOkResponse({
    description: 'The error code.',
    schema: { type: 'object', required: ['data'], properties: { data: ENTRY } },
  })
  get(@Param('code') code: string): { data: ProblemDocument } {
    if (!isProblemCode(code)) throw new Problem('not_found', { detail: 'Error code not found' });
    return { data: { code, ...PROBLEMS[code] } };
  }
}
