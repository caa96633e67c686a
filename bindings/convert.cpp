#include "bindings/convert.h"

#include "minitensor/plugin/plugin_builder.h"

namespace minitensor::bindings {

namespace {

VersionInfo read_version(WireReader& in) {
  VersionInfo version{};
  in.list();
  version.major = in.handle();
  version.minor = in.handle();
  version.patch = in.handle();
  in.more();
  return version;
}

void write(WireWriter& out, const VersionInfo& version) {
  out.object();
  out.field("major").number(version.major);
  out.field("minor").number(version.minor);
  out.field("patch").number(version.patch);
  out.end();
}

}  // namespace

void write_fields(WireWriter& out, const PluginInfo& info) {
  out.field("name").text(info.name);
  write(out.field("version"), info.version);
  out.field("description").text(info.description);
  out.field("author").text(info.author);
  write(out.field("minMinitensorVersion"), info.min_minitensor_version);
  if (info.max_minitensor_version) write(out.field("maxMinitensorVersion"), *info.max_minitensor_version);
}

void write(WireWriter& out, const PluginInfo& info) {
  out.object();
  write_fields(out, info);
  out.end();
}

PluginInfo read_plugin_info(WireReader& in) {
  PluginBuilder builder;
  if (!in.is_undefined()) builder.name(in.text());
  if (!in.is_undefined()) builder.version(read_version(in));
  if (!in.is_undefined()) builder.description(in.text());
  if (!in.is_undefined()) builder.author(in.text());
  if (!in.is_undefined()) builder.min_minitensor_version(read_version(in));
  if (!in.is_undefined()) builder.max_minitensor_version(read_version(in));
  return builder.build_info();
}

}  // namespace minitensor::bindings
