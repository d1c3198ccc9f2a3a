/**
 * tus-js-client's protocol alone, without the HTTP, file and storage code of its Node and browser builds, which this
 * package supplies itself. The library has types for its main entry only.
 */
declare module 'tus-js-client/lib.es5/upload.js' {
	import { Upload, type UploadOptions } from 'tus-js-client';

	export default class BaseUpload extends Upload {
		static defaultOptions: UploadOptions;
	}
}
