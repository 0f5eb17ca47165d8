import { Module } from '@nestjs/common';
import { HostCookies } from './host-cookies.js';

/** Cookies for this host. Commands, which have no server, can import it. */
@Module({ providers: [HostCookies], exports: [HostCookies] })
export class HostCookiesModule {}
