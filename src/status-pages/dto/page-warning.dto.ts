import { ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';

/** A reason why a setting that was stored has no effect yet. */
@ApiSchema({ name: 'StatusPageWarning' })
export class PageWarningDto {
  @ApiProperty({
    type: 'string',
    enum: ['mail_not_configured'],
    description:
      '`mail_not_configured`: the server has no mail server, so visitors cannot subscribe by mail.',
    example: 'mail_not_configured',
  })
  code!: 'mail_not_configured';

  @ApiProperty({
    type: 'string',
    maxLength: 200,
    description: 'Reason, in English.',
    example: 'visitors cannot subscribe by mail, because the server has no SMTP_URL',
  })
  detail!: string;

  @ApiProperty({
    type: 'string',
    maxLength: 100,
    description: 'JSON Pointer to the field of the request.',
    example: '#/subscribe_enabled',
  })
  pointer!: string;
}

/** Schema of `warnings` beside `data`. */
export const PAGE_WARNINGS = {
  warnings: {
    type: 'array',
    minItems: 1,
    maxItems: 10,
    items: { $ref: getSchemaPath(PageWarningDto) },
    description: 'Settings that were stored, but have no effect yet. Omitted without a warning.',
  },
};
