/*
 * The way from C++ to JavaScript's callbacks. Module.callbacks is js/callbacks.js; it throws nothing, so that no
 * exception passes through WebAssembly frames.
 */
addToLibrary({
  mt_callback_call: (id, role, tensors, tensorCount, attributes, attributesSize, results, capacity) =>
    Module['callbacks'].call(id, role, tensors, tensorCount, attributes, attributesSize, results, capacity),

  mt_callback_release: (id) => {
    Module['callbacks'].release(id);
  },

  mt_plugin_log: (plugin, pluginSize, message, messageSize) => {
    Module['callbacks'].log(plugin, pluginSize, message, messageSize);
  },
});
