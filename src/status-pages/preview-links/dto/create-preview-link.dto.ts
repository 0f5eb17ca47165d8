import { ApiSchema } from '@nestjs/swagger';

/** Request body of `POST /v1/status-pages/{id}/preview-links`: `{}` or empty. */
@ApiSchema({ name: 'PreviewLinkCreate' })
export class CreatePreviewLinkDto {}
