// The OpenGL 3.3 core functions that the renderer calls, fetched at run time: nothing links libGL.
#pragma once

#include <string>

#include <GL/glcorearb.h>

// X(NAME IN THE TYPE, Name): PFNGL<NAME>PROC and gl<Name>.
#define SINEW_GL_FUNCTIONS(X)                                       \
  X(ACTIVETEXTURE, ActiveTexture)                                   \
  X(ATTACHSHADER, AttachShader)                                     \
  X(BINDATTRIBLOCATION, BindAttribLocation)                         \
  X(BINDBUFFER, BindBuffer)                                         \
  X(BINDFRAGDATALOCATION, BindFragDataLocation)                     \
  X(BINDFRAMEBUFFER, BindFramebuffer)                               \
  X(BINDRENDERBUFFER, BindRenderbuffer)                             \
  X(BINDSAMPLER, BindSampler)                                       \
  X(BINDTEXTURE, BindTexture)                                       \
  X(BINDVERTEXARRAY, BindVertexArray)                               \
  X(BLENDFUNCSEPARATE, BlendFuncSeparate)                           \
  X(BLITFRAMEBUFFER, BlitFramebuffer)                               \
  X(BUFFERDATA, BufferData)                                         \
  X(CHECKFRAMEBUFFERSTATUS, CheckFramebufferStatus)                 \
  X(CLEAR, Clear)                                                   \
  X(CLEARCOLOR, ClearColor)                                         \
  X(COLORMASK, ColorMask)                                           \
  X(COMPILESHADER, CompileShader)                                   \
  X(CREATEPROGRAM, CreateProgram)                                   \
  X(CREATESHADER, CreateShader)                                     \
  X(CULLFACE, CullFace)                                             \
  X(DELETEBUFFERS, DeleteBuffers)                                   \
  X(DELETEFRAMEBUFFERS, DeleteFramebuffers)                         \
  X(DELETEPROGRAM, DeleteProgram)                                   \
  X(DELETERENDERBUFFERS, DeleteRenderbuffers)                       \
  X(DELETESAMPLERS, DeleteSamplers)                                 \
  X(DELETESHADER, DeleteShader)                                     \
  X(DELETETEXTURES, DeleteTextures)                                 \
  X(DELETEVERTEXARRAYS, DeleteVertexArrays)                         \
  X(DEPTHFUNC, DepthFunc)                                           \
  X(DEPTHMASK, DepthMask)                                           \
  X(DISABLE, Disable)                                               \
  X(DRAWARRAYS, DrawArrays)                                         \
  X(DRAWBUFFER, DrawBuffer)                                         \
  X(DRAWELEMENTS, DrawElements)                                     \
  X(ENABLE, Enable)                                                 \
  X(ENABLEVERTEXATTRIBARRAY, EnableVertexAttribArray)               \
  X(FINISH, Finish)                                                 \
  X(FRAMEBUFFERRENDERBUFFER, FramebufferRenderbuffer)               \
  X(FRAMEBUFFERTEXTURE2D, FramebufferTexture2D)                     \
  X(FRAMEBUFFERTEXTURELAYER, FramebufferTextureLayer)               \
  X(GENBUFFERS, GenBuffers)                                         \
  X(GENFRAMEBUFFERS, GenFramebuffers)                               \
  X(GENRENDERBUFFERS, GenRenderbuffers)                             \
  X(GENSAMPLERS, GenSamplers)                                       \
  X(GENTEXTURES, GenTextures)                                       \
  X(GENVERTEXARRAYS, GenVertexArrays)                               \
  X(GETERROR, GetError)                                             \
  X(GETINTEGERV, GetIntegerv)                                       \
  X(GETPROGRAMINFOLOG, GetProgramInfoLog)                           \
  X(GETPROGRAMIV, GetProgramiv)                                     \
  X(GETSHADERINFOLOG, GetShaderInfoLog)                             \
  X(GETSHADERIV, GetShaderiv)                                       \
  X(GETSTRING, GetString)                                           \
  X(GETUNIFORMLOCATION, GetUniformLocation)                         \
  X(LINKPROGRAM, LinkProgram)                                       \
  X(PIXELSTOREI, PixelStorei)                                       \
  X(POLYGONOFFSET, PolygonOffset)                                   \
  X(READBUFFER, ReadBuffer)                                         \
  X(READPIXELS, ReadPixels)                                         \
  X(RENDERBUFFERSTORAGE, RenderbufferStorage)                       \
  X(RENDERBUFFERSTORAGEMULTISAMPLE, RenderbufferStorageMultisample) \
  X(SAMPLERPARAMETERI, SamplerParameteri)                           \
  X(SCISSOR, Scissor)                                               \
  X(SHADERSOURCE, ShaderSource)                                     \
  X(TEXIMAGE2D, TexImage2D)                                         \
  X(TEXIMAGE3D, TexImage3D)                                         \
  X(TEXPARAMETERI, TexParameteri)                                   \
  X(UNIFORM1F, Uniform1f)                                           \
  X(UNIFORM1I, Uniform1i)                                           \
  X(UNIFORM2F, Uniform2f)                                           \
  X(UNIFORM2FV, Uniform2fv)                                         \
  X(UNIFORM2I, Uniform2i)                                           \
  X(UNIFORM3F, Uniform3f)                                           \
  X(UNIFORM3FV, Uniform3fv)                                         \
  X(UNIFORM4F, Uniform4f)                                           \
  X(UNIFORM4FV, Uniform4fv)                                         \
  X(UNIFORMMATRIX3FV, UniformMatrix3fv)                             \
  X(UNIFORMMATRIX4FV, UniformMatrix4fv)                             \
  X(USEPROGRAM, UseProgram)                                         \
  X(VERTEXATTRIBPOINTER, VertexAttribPointer)                       \
  X(VIEWPORT, Viewport)

namespace sinew::viewer {

/// Function pointers of one context: gl.Clear(...) is glClear.
struct GlFunctions {
#define SINEW_GL_MEMBER(TYPE, Name) PFNGL##TYPE##PROC Name = nullptr;
  SINEW_GL_FUNCTIONS(SINEW_GL_MEMBER)
#undef SINEW_GL_MEMBER
};

/// @param get_address of the library that made the current context, which `source` names.
/// @throws BackendError naming what is absent.
GlFunctions load_gl_functions(void* (*get_address)(const char*), const std::string& source);

}  // namespace sinew::viewer
