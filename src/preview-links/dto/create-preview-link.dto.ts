import { ApiSchema } from '@nestjs/swagger';

/** The body of `POST /v1/status-pages/{id}/preview-links`: `{}`, or none. */
@ApiSchema({ name: 'PreviewLinkCreate' })
export class CreatePreviewLinkDto {}
